// SPDX-License-Identifier: MIT
// Inside another page's frame: tells it how tall this page is, so that nothing has to scroll twice.

/** The message: `{ heed: 'height', height }`, in CSS pixels. Returns the way to stop. */
export function tellHeight(): () => void {
  const tell = (): void => {
    const height = document.documentElement.scrollHeight;
    // Any page may embed this one, and a height is no secret.
    parent.postMessage({ heed: 'height', height }, '*');
  };
  const observer = new ResizeObserver(tell);
  observer.observe(document.body);
  return () => observer.disconnect();
}
