// SPDX-License-Identifier: MIT
// Where the reader of the inspect room is, as a link.

export interface InspectAddress {
  run?: string;
  step?: number;
  prompt?: string;
  other?: string;
  layer: number;
  head: number;
  i?: number;
  j?: number;
}

const whole = (text: string | null): number | undefined =>
  text !== null && /^\d{1,15}$/.test(text) ? Number(text) : undefined;

export function addressFrom(search: string): InspectAddress {
  const parameters = new URLSearchParams(search);
  const text = (key: string): string | undefined => parameters.get(key) ?? undefined;
  const entries = {
    run: text('run'), step: whole(parameters.get('step')), prompt: text('prompt'), other: text('other'),
    i: whole(parameters.get('i')), j: whole(parameters.get('j')),
  };
  const given = Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined));
  return { ...given, layer: whole(parameters.get('layer')) ?? 0, head: whole(parameters.get('head')) ?? 0 };
}

export function addressOf(address: InspectAddress, search: string): string {
  const parameters = new URLSearchParams({ room: 'inspect' });
  const lang = new URLSearchParams(search).get('lang');
  if (lang !== null) parameters.set('lang', lang);
  for (const [key, value] of Object.entries(address)) {
    if (value !== undefined && value !== '') parameters.set(key, String(value));
  }
  return `?${parameters}`;
}
