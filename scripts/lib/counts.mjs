// SPDX-License-Identifier: MIT
// Reads how many test cases passed and failed from each runner's own report.

/** @typedef {{passed: number, failed: number, skipped: number}} Counts */

export const none = () => ({ passed: 0, failed: 0, skipped: 0 });

export function add(a, b) {
  return {
    passed: a.passed + b.passed,
    failed: a.failed + b.failed,
    skipped: a.skipped + b.skipped,
  };
}

/** Catch2's XML reporter. A report without its closing totals is that of a crashed run. */
export function fromCatchXml(text) {
  const totals = /<OverallResultsCases\s+([^>]*)\/>/.exec(text)?.[1];
  if (!totals) return undefined;
  const value = (name) => Number(new RegExp(`\\b${name}="(\\d+)"`).exec(totals)?.[1] ?? 0);
  return {
    // A case marked [!shouldfail] that fails is a pass: it shows that the check can fail.
    passed: value('successes') + value('expectedFailures'),
    failed: value('failures'),
    skipped: value('skips'),
  };
}

/** Closing lines of node:test ("# pass 3" in TAP, "ℹ pass 3" in the spec reporter). */
export function fromNodeTest(text) {
  const value = (name) => {
    const found = [...text.matchAll(new RegExp(`^(?:#|ℹ) ${name} (\\d+)$`, 'gm'))].at(-1);
    return found ? Number(found[1]) : undefined;
  };
  const passed = value('pass');
  if (passed === undefined) return undefined;
  return {
    passed,
    failed: (value('fail') ?? 0) + (value('cancelled') ?? 0),
    skipped: (value('skipped') ?? 0) + (value('todo') ?? 0),
  };
}

/** Vitest's JSON reporter. A file that fails to load has no tests but counts as one failure. */
export function fromVitestJson(text) {
  let report;
  try {
    report = JSON.parse(text);
  } catch {
    return undefined;
  }
  const broken = (report.testResults ?? []).filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((t) => t.status === 'failed'),
  );
  return {
    passed: report.numPassedTests ?? 0,
    failed: (report.numFailedTests ?? 0) + broken.length,
    skipped: (report.numPendingTests ?? 0) + (report.numTodoTests ?? 0),
  };
}

/**
 * A suite's verdict: what its report says, made a failure when the program's exit code says so and
 * the report does not, when there is no report, or when nothing ran.
 */
export function verdict(code, counts) {
  const result = counts ?? none();
  const silent = code !== 0 && result.failed === 0;
  const empty = result.passed + result.failed + result.skipped === 0;
  return silent || empty || !counts ? { ...result, failed: Math.max(1, result.failed) } : result;
}

/** One line for each test that failed, as node:test's spec reporter tells it: name and first lines. */
export function failuresOfNodeTest(text) {
  const told = text.split(/^✖ failing tests:$/m).at(1) ?? '';
  return told.split(/^test at /m).slice(1).map((block) => {
    const [place, name = '', ...lines] = block.trim().split('\n');
    const reason = lines.map((line) => line.trim())
      .filter((line) => line !== '' && !line.startsWith('at '));
    return `${place.replace(/:\d+$/, '')} ${name.replace(/^✖ /, '')}: ${reason.join(' ').slice(0, 600)}`;
  });
}
