// SPDX-License-Identifier: MIT

/** Over the elements that `visible` admits; the others are 0. */
export function softmax(
  x: ArrayLike<number>,
  visible: (index: number) => boolean = () => true,
): Float64Array {
  const y = new Float64Array(x.length);
  let most = -Infinity;
  for (let i = 0; i < x.length; ++i) {
    if (visible(i)) {
      most = Math.max(most, x[i]!);
    }
  }
  let total = 0;
  for (let i = 0; i < x.length; ++i) {
    if (visible(i)) {
      y[i] = Math.exp(x[i]! - most);
      total += y[i]!;
    }
  }
  return y.map((value) => value / total);
}
