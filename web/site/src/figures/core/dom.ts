// SPDX-License-Identifier: MIT
// Making and keeping elements. Styles are set through the CSSOM: the page's policy allows no style
// attribute in markup.

type AttributeValue = string | number | boolean | undefined;
export type Attributes = Readonly<Record<string, AttributeValue>>;
export type Styles = Readonly<Record<string, string>>;

const svgSpace = 'http://www.w3.org/2000/svg';

/** undefined and false remove an attribute, but for `aria-…` false is a value. */
export function setAttributes(element: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || (value === false && !name.startsWith('aria-'))) {
      element.removeAttribute(name);
    } else {
      const text = value === true && !name.startsWith('aria-') ? '' : String(value);
      if (element.getAttribute(name) !== text) element.setAttribute(name, text);
    }
  }
}

export function setStyles(element: HTMLElement | SVGElement, styles: Styles): void {
  for (const [name, value] of Object.entries(styles)) {
    if (element.style.getPropertyValue(name) !== value) element.style.setProperty(name, value);
  }
}

export function html<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag, attributes: Attributes = {}, ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  setAttributes(element, attributes);
  element.append(...children);
  return element;
}

export function svg<Tag extends keyof SVGElementTagNameMap>(
  tag: Tag, attributes: Attributes = {},
): SVGElementTagNameMap[Tag] {
  const element = document.createElementNS(svgSpace, tag);
  setAttributes(element, attributes);
  return element;
}

/** Replaces text only when it differs, so that a selection of text or a screen reader stays put. */
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

/**
 * Children by key. What is drawn again keeps its element, so that focus, hover and a click that
 * began before a redraw survive ten redraws a second; what is not drawn again goes.
 */
export class Keyed {
  #kept = new Map<string, Element>();
  #used = new Set<string>();

  /** `make` runs once a key; the new element is appended to `parent`. */
  get<E extends Element>(key: string, parent: Element, make: () => E): E {
    let element = this.#kept.get(key) as E | undefined;
    if (element === undefined) {
      element = make();
      this.#kept.set(key, element);
      parent.append(element);
    }
    this.#used.add(key);
    return element;
  }

  /** Removes what `get` has not asked for since the last sweep. */
  sweep(): void {
    for (const [key, element] of this.#kept) {
      if (!this.#used.has(key)) {
        element.remove();
        this.#kept.delete(key);
      }
    }
    this.#used.clear();
  }
}
