// SPDX-License-Identifier: MIT
// Groups of weights by the names that readers know.

interface GroupWords {
  groups: Record<string, string>;
  layer: (layer: number, name: string) => string;
}

/** `layers.0.query` -> "layer 0 W_Q". A name that the catalogue lacks stays as it is. */
export function groupName({ groups, layer }: GroupWords, name: string): string {
  const [, index, part] = /^layers\.(\d+)\.(\w+)$/.exec(name) ?? [];
  if (index === undefined) return groups[name] ?? name;
  return layer(Number(index), groups[part!] ?? part!);
}
