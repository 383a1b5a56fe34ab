// SPDX-License-Identifier: MIT
// Numbers that figures derive from a trace, by address. The one place that says what each address
// means: figures show these numbers, and the page-wide test and the inspector compute them again.
//
// Of head `L<l>.H<h>` (row i, column j, channel c; s the scale of the scores, 1 / sqrt(D)):
//   qk.i.j.c      Q_ic K_jc                     dot.i.j     q_i . k_j
//   along.i.j     q_i . k_j / |q_i|             angle.i.j   between q_i and k_j, degrees
//   max.i         largest visible score         exp.i.j     exp(S_ij - max), 0 where masked
//   sum.i         sum of exp over the row       signal.i    sum_j |dS_ij|
//   part.i.j.c    A_ij V_jc                     AxdA.i.j    -A_ij dA_ij
//   qpush.i.j.c   -dS_ij K_jc s                 vpush.j.i.c -A_ij dC_ic
//   qpushLength.i.j, vpushLength.j.i            lengths of these vectors
//   dVLength.j    |dV_j|                        dQLength.i  |dQ_i|
//   rowSum.i      sum_j A_ij                    pushSum.i   sum_j -dS_ij

/** What a trace offers: its own addresses, and its sizes. */
export interface NumberSource {
  read(address: string): number;
  readonly time: number;
  readonly headWidth: number;
  /** Of the scores; default 1 / sqrt(headWidth). */
  readonly scale?: number;
}

const pattern = /^(L\d+\.H\d+)\.([A-Za-z]+)((?:\.\d+)+)$/;

/** Names this module knows; any other address is the source's own. */
export const derivedNames = [
  'qk', 'dot', 'along', 'angle', 'max', 'exp', 'sum', 'signal', 'part', 'AxdA', 'qpush', 'vpush',
  'qpushLength', 'vpushLength', 'dVLength', 'dQLength', 'rowSum', 'pushSum',
] as const;
export type DerivedName = (typeof derivedNames)[number];

const isDerived = (name: string): name is DerivedName =>
  (derivedNames as readonly string[]).includes(name);

/** One number, derived or the source's own. Throws what the source throws for unknown addresses. */
export function readNumber(source: NumberSource, address: string): number {
  const match = pattern.exec(address);
  if (match === null || !isDerived(match[2]!)) return source.read(address);
  const scope = match[1]!;
  const at = match[3]!.slice(1).split('.').map(Number);
  const read = (name: string, ...place: number[]): number =>
    source.read(`${scope}.${name}.${place.join('.')}`);
  const [a = 0, b = 0, c = 0] = at;
  const channels = Array.from({ length: source.headWidth }, (_, channel) => channel);
  const scale = source.scale ?? 1 / Math.sqrt(source.headWidth);
  const total = (terms: number[]): number => terms.reduce((sum, term) => sum + term, 0);
  const length = (terms: number[]): number => Math.hypot(...terms);
  const row = (name: string): number[] =>
    Array.from({ length: source.time }, (_, j) => read(name, a, j));
  const dot = (): number => total(channels.map((ch) => read('Q', a, ch) * read('K', b, ch)));
  // A trace has scores also where the mask then hides them; their weight is exactly 0.
  const visible = (): number[] => {
    const weights = row('A');
    return row('S').filter((_, j) => weights[j]! > 0);
  };
  const largest = (): number => Math.max(...visible());

  switch (match[2]) {
    case 'qk':
      return read('Q', a, c) * read('K', b, c);
    case 'dot':
      return dot();
    case 'along':
      return dot() / length(channels.map((ch) => read('Q', a, ch)));
    case 'angle': {
      const lengths = length(channels.map((ch) => read('Q', a, ch)))
        * length(channels.map((ch) => read('K', b, ch)));
      return (Math.acos(Math.max(-1, Math.min(1, dot() / lengths))) * 180) / Math.PI;
    }
    case 'max':
      return largest();
    case 'exp':
      return read('A', a, b) > 0 ? Math.exp(read('S', a, b) - largest()) : 0;
    case 'sum':
      return total(visible().map((score) => Math.exp(score - largest())));
    case 'signal':
      return total(row('dS').map(Math.abs));
    case 'part':
      return read('A', a, b) * read('V', b, c);
    case 'AxdA':
      return -read('A', a, b) * read('dA', a, b);
    case 'qpush':
      return -read('dS', a, b) * read('K', b, c) * scale;
    case 'vpush':
      return -read('A', b, a) * read('dC', b, c);
    case 'qpushLength':
      return length(channels.map((ch) => read('dS', a, b) * read('K', b, ch) * scale));
    case 'vpushLength':
      return length(channels.map((ch) => read('A', b, a) * read('dC', b, ch)));
    case 'dVLength':
      return length(channels.map((ch) => read('dV', a, ch)));
    case 'dQLength':
      return length(channels.map((ch) => read('dQ', a, ch)));
    case 'rowSum':
      return total(row('A'));
    default:
      return -total(row('dS'));
  }
}
