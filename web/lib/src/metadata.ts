// SPDX-License-Identifier: MIT
// Metadata as the core takes it: for each entry the lengths of key and value (u32, little-endian),
// then the key, then the value, both UTF-8.

const headerBytes = 8;

export function packMetadata(metadata: Record<string, string>): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  const entries = Object.entries(metadata).map(([key, value]) => ({
    key: encoder.encode(key),
    value: encoder.encode(value),
  }));
  const bytes = entries.reduce(
    (sum, { key, value }) => sum + headerBytes + key.length + value.length,
    0,
  );
  const packed = new Uint8Array(bytes);
  const view = new DataView(packed.buffer);
  let at = 0;
  for (const { key, value } of entries) {
    view.setUint32(at, key.length, true);
    view.setUint32(at + 4, value.length, true);
    packed.set(key, at + headerBytes);
    packed.set(value, at + headerBytes + key.length);
    at += headerBytes + key.length + value.length;
  }
  return packed;
}

export function unpackMetadata(packed: Uint8Array): Record<string, string> {
  // A leading U+FEFF belongs to the text.
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  const entries: [string, string][] = [];
  for (let at = 0; at < packed.length; ) {
    const keyStart = at + headerBytes;
    const valueStart = keyStart + view.getUint32(at, true);
    const end = valueStart + view.getUint32(at + 4, true);
    entries.push([
      decoder.decode(packed.subarray(keyStart, valueStart)),
      decoder.decode(packed.subarray(valueStart, end)),
    ]);
    at = end;
  }
  // Not by assignment: a key may be "__proto__".
  return Object.fromEntries(entries);
}
