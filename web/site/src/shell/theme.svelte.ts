// SPDX-License-Identifier: MIT
// Light or dark: the system's choice unless the reader made one. Figures read their inks from here.

const key = 'heed-theme';

export const themeChoices = ['system', 'light', 'dark'] as const;
export type ThemeChoice = (typeof themeChoices)[number];

export type Rgb = readonly [number, number, number];

function stored(): ThemeChoice {
  try {
    const value = localStorage.getItem(key);
    return themeChoices.find((choice) => choice === value) ?? 'system';
  } catch {
    return 'system';
  }
}

/** `#rrggbb` as theme.css has it, or `#rgb`, which minifying makes of some. */
function parse(hex: string): Rgb {
  const digits = hex.trim().slice(1);
  const full = digits.length === 3 ? digits.replace(/./g, '$&$&') : digits;
  const value = Number.parseInt(full, 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

class Theme {
  choice: ThemeChoice = $state('system');
  paper: Rgb = $state.raw([255, 255, 255]);
  ink: Rgb = $state.raw([17, 17, 17]);
  quiet = $state('');
  rule = $state('');

  start(): void {
    this.choose(stored());
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.#read());
  }

  choose(choice: ThemeChoice): void {
    this.choice = choice;
    if (choice === 'system') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = choice;
    try {
      localStorage.setItem(key, choice);
    } catch {
      // Forbidden storage: the choice lasts as long as the page.
    }
    this.#read();
  }

  #read(): void {
    const style = getComputedStyle(document.documentElement);
    this.paper = parse(style.getPropertyValue('--paper'));
    this.ink = parse(style.getPropertyValue('--ink'));
    this.quiet = style.getPropertyValue('--quiet').trim();
    this.rule = style.getPropertyValue('--rule').trim();
  }
}

export const theme = new Theme();

export const css = ([red, green, blue]: Rgb): string => `rgb(${red} ${green} ${blue})`;
