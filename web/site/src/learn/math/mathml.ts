// SPDX-License-Identifier: MIT
// Formulas as MathML, from a small part of TeX's notation: every browser the engine runs in draws
// MathML by itself, so no formula library is needed (docs/architecture.md).
//
//   A_ij  W_Q  x^2  \frac{a}{b}  \sqrt{D}  \sum_j  \sigma  \text{words}
//   \lit{part}{...}  a part that lights up with prose and figures
//   \num{0}          the number of that index, with its address
//
// An index without braces is a run of letters and digits: `A_ij` is A with the indices i and j.

import type { AddressedNumber } from '../../figures/contracts';
import { numberFormat } from '../../figures/numbers';

const ns = 'http://www.w3.org/1998/Math/MathML';

const named: Record<string, string> = {
  sigma: 'σ', delta: 'δ', Delta: 'Δ', eta: 'η', theta: 'θ', varepsilon: 'ε', partial: '∂',
  cdot: '·', times: '×', otimes: '⊗', approx: '≈', le: '≤', ge: '≥', in: '∈', to: '→', minus: '−',
  top: '⊤', dots: '…', langle: '⟨', rangle: '⟩', sum: '∑', infty: '∞', ne: '≠',
};

/** Words that stand for one thing: drawn upright, not as a product of letters. */
const words = /^(cos|exp|gain|ln|logit|max|mean|push|target|token)(?![a-z])/;

const operators = new Set('=+-−×·⊗≈≤≥→∈,;:()[]|/<>…⟨⟩∑≠'.split(''));

export interface MathOptions {
  numbers?: readonly AddressedNumber[];
  /** Places that numbers are written with. Default: as they are. */
  digits?: number;
}

function element(name: string, ...children: Array<Element | string>): Element {
  const made = document.createElementNS(ns, name);
  made.append(...children);
  return made;
}

class Parser {
  #at = 0;
  readonly #text: string;
  readonly #options: MathOptions;

  constructor(text: string, options: MathOptions) {
    this.#text = text;
    this.#options = options;
  }

  row(until?: string): Element {
    const items: Element[] = [];
    for (;;) {
      this.#space();
      const next = this.#text[this.#at];
      if (next === undefined || next === until) break;
      items.push(this.#scripts(this.#atom()));
    }
    return items.length === 1 ? items[0]! : element('mrow', ...items);
  }

  #space(): void {
    while (this.#text[this.#at] === ' ') this.#at += 1;
  }

  #group(): Element {
    this.#expect('{');
    const inside = this.row('}');
    this.#expect('}');
    return inside;
  }

  #word(): string {
    this.#expect('{');
    const end = this.#text.indexOf('}', this.#at);
    if (end < 0) throw new SyntaxError(`no } after position ${this.#at} of "${this.#text}"`);
    const word = this.#text.slice(this.#at, end);
    this.#at = end + 1;
    return word;
  }

  #expect(character: string): void {
    if (this.#text[this.#at] !== character) {
      throw new SyntaxError(`expected ${character} at position ${this.#at} of "${this.#text}"`);
    }
    this.#at += 1;
  }

  #atom(): Element {
    const character = this.#text[this.#at]!;
    if (character === '{') return this.#group();
    if (character === '\\') return this.#command();
    const number = /^\d+(\.\d+)?/.exec(this.#text.slice(this.#at))?.[0];
    if (number !== undefined) {
      this.#at += number.length;
      return element('mn', number);
    }
    const word = words.exec(this.#text.slice(this.#at))?.[0];
    if (word !== undefined) {
      this.#at += word.length;
      return element('mi', word);
    }
    this.#at += 1;
    if (character === '-') return element('mo', '−');
    return element(operators.has(character) ? 'mo' : 'mi', character);
  }

  #command(): Element {
    const name = /^\\([A-Za-z]+)/.exec(this.#text.slice(this.#at))?.[1];
    if (name === undefined) throw new SyntaxError(`no command in "${this.#text}"`);
    this.#at += name.length + 1;
    switch (name) {
      case 'frac':
        return element('mfrac', this.#group(), this.#group());
      case 'sqrt':
        return element('msqrt', this.#group());
      case 'bar':
        return element('mover', this.#group(), element('mo', '¯'));
      case 'text':
        return element('mtext', this.#word());
      case 'lit': {
        const lit = element('mrow');
        lit.setAttribute('data-part', this.#word());
        lit.append(this.#group());
        return lit;
      }
      case 'num':
        return this.#number(Number(this.#word()));
      default: {
        const text = named[name];
        if (text === undefined) throw new SyntaxError(`unknown \\${name} in "${this.#text}"`);
        return element(operators.has(text) ? 'mo' : 'mi', text);
      }
    }
  }

  #number(index: number): Element {
    const { numbers = [], digits } = this.#options;
    const { address, value } = numbers[index]!;
    const text = digits === undefined ? String(value) : numberFormat.fixed(value, digits);
    const made = element('mn', text);
    made.setAttribute('data-addr', address);
    made.setAttribute('data-value', String(value));
    if (this.#options.digits !== undefined) {
      made.setAttribute('data-digits', String(this.#options.digits));
    }
    return value < 0 ? element('mrow', element('mo', '('), made, element('mo', ')')) : made;
  }

  /** Indices below and above. Sums carry theirs below in displayed formulas. */
  #scripts(base: Element): Element {
    let below: Element | undefined;
    let above: Element | undefined;
    for (;;) {
      const mark = this.#text[this.#at];
      if (mark !== '_' && mark !== '^') break;
      this.#at += 1;
      const script = this.#script();
      if (mark === '_') below = script;
      else above = script;
    }
    const sum = base.textContent === '∑';
    if (below !== undefined && above !== undefined) {
      return element(sum ? 'munderover' : 'msubsup', base, below, above);
    }
    if (below !== undefined) return element(sum ? 'munder' : 'msub', base, below);
    if (above !== undefined) return element(sum ? 'mover' : 'msup', base, above);
    return base;
  }

  #script(): Element {
    const next = this.#text[this.#at];
    if (next === '{') return this.#group();
    if (next === '\\') return this.#command();
    const run = /^[A-Za-z0-9]+/.exec(this.#text.slice(this.#at))?.[0];
    if (run === undefined) throw new SyntaxError(`empty index in "${this.#text}"`);
    this.#at += run.length;
    const letters = Array.from(run, (letter) => element(/\d/.test(letter) ? 'mn' : 'mi', letter));
    return letters.length === 1 ? letters[0]! : element('mrow', ...letters);
  }
}

/** A `<math>` element; `display` sets it on a line of its own. */
export function math(text: string, display: boolean, options: MathOptions = {}): Element {
  const made = element('math', new Parser(text, options).row());
  if (display) made.setAttribute('display', 'block');
  return made;
}
