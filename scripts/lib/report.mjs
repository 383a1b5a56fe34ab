// SPDX-License-Identifier: MIT
// The headings, times and the closing line of `npm test`.
import { add, none } from './counts.mjs';

const seconds = (from) => `${((performance.now() - from) / 1000).toFixed(1)} s`;

export class Report {
  #total = none();
  #rows = [];
  #started = performance.now();

  /** Runs one suite under a heading. A suite that throws counts as one failure and the rest runs. */
  async suite(name, body) {
    console.log(`\n== ${name}`);
    const started = performance.now();
    let counts;
    try {
      counts = await body();
    } catch (error) {
      console.log(error instanceof Error ? error.message : String(error));
      counts = { ...none(), failed: 1 };
    }
    const time = seconds(started);
    console.log(`   ${describe(counts)}   (${time})`);
    this.#rows.push({ name, counts, time });
    this.#total = add(this.#total, counts);
    return counts.failed === 0;
  }

  /** Prints the table and, last of all, the one line that says it all; returns the exit code. */
  close() {
    const width = Math.max(...this.#rows.map((row) => row.name.length), 0);
    console.log('\n== summary');
    for (const { name, counts, time } of this.#rows) {
      const mark = counts.failed > 0 ? 'FAIL' : 'ok  ';
      console.log(`   ${mark}  ${name.padEnd(width)}  ${describe(counts)}   ${time}`);
    }
    // Again at the end: what a suite prints may be cut off by what comes after it.
    for (const { counts } of this.#rows) {
      for (const failure of counts.failures ?? []) console.log(`   FAILED ${failure}`);
    }
    console.log(`   total time ${seconds(this.#started)}\n`);
    const { passed, failed, skipped } = this.#total;
    if (skipped > 0) console.log(`   (${skipped} skipped; each says why above)`);
    console.log(`${passed} passed, ${failed} failed`);
    return failed === 0 && passed > 0 ? 0 : 1;
  }
}

function describe({ passed, failed, skipped }) {
  return `${passed} ok, ${failed} bad${skipped > 0 ? `, ${skipped} left out` : ''}`;
}
