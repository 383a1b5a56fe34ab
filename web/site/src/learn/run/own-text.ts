// SPDX-License-Identifier: MIT
// The text that the reader pasted, for as long as the tab lives; it never leaves it.

const key = 'heed-learn-text';

/** What is learned where nothing was pasted: short, with much that repeats. */
const example = 'the cat sat on the mat. the dog sat on the log. a cat and a dog sat. '.repeat(40);

export function ownText(): string {
  try {
    return sessionStorage.getItem(key) ?? example;
  } catch {
    return example;
  }
}

export function keepOwnText(text: string): void {
  try {
    sessionStorage.setItem(key, text);
  } catch {
    // Forbidden storage: the text is lost with the page.
  }
}
