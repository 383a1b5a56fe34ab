// SPDX-License-Identifier: MIT
// The counting behind "N passed, N failed": no runner's report may turn a failure into a pass.
import assert from 'node:assert/strict';
import test from 'node:test';
import { failuresOfNodeTest, fromCatchXml, fromNodeTest, fromVitestJson, verdict } from '../lib/counts.mjs';
import { Report } from '../lib/report.mjs';

const quietly = async (body) => {
  const { log } = console;
  const lines = [];
  console.log = (line) => lines.push(line);
  try {
    await body();
  } finally {
    console.log = log;
  }
  return lines;
};

test('Catch2: expected failures pass, failures fail, no totals means no report', () => {
  const xml = '<OverallResultsCases successes="7" failures="2" expectedFailures="1" skips="3"/>';
  assert.deepEqual(fromCatchXml(xml), { passed: 8, failed: 2, skipped: 3 });
  assert.equal(fromCatchXml('<Catch2TestRun><TestCase name="crash"'), undefined);
});

test('node:test: both reporters, the last totals, cancelled counts as failed', () => {
  const tap = '# pass 1\n# fail 0\n';
  const spec = 'ℹ pass 4\nℹ fail 1\nℹ cancelled 2\nℹ skipped 1\nℹ todo 0\n';
  assert.deepEqual(fromNodeTest(tap), { passed: 1, failed: 0, skipped: 0 });
  assert.deepEqual(fromNodeTest(tap + spec), { passed: 4, failed: 3, skipped: 1 });
  assert.equal(fromNodeTest('Segmentation fault'), undefined);
});

test('vitest: a file that does not load counts as a failure', () => {
  const report = {
    numPassedTests: 5,
    numFailedTests: 1,
    numPendingTests: 0,
    numTodoTests: 0,
    testResults: [
      { status: 'failed', assertionResults: [{ status: 'failed' }] },
      { status: 'failed', assertionResults: [] },
    ],
  };
  assert.deepEqual(fromVitestJson(JSON.stringify(report)), { passed: 5, failed: 2, skipped: 0 });
  assert.equal(fromVitestJson('{"cut'), undefined);
});

test('verdict: a bad exit code, a missing report and an empty run are failures', () => {
  const good = { passed: 3, failed: 0, skipped: 0 };
  assert.equal(verdict(0, good).failed, 0);
  assert.equal(verdict(1, good).failed, 1);
  assert.equal(verdict(0, undefined).failed, 1);
  assert.equal(verdict(0, { passed: 0, failed: 0, skipped: 0 }).failed, 1);
});

test('report: ends with the one line, sums up, and a suite that throws fails the run', async () => {
  let code;
  const lines = await quietly(async () => {
    const report = new Report();
    await report.suite('a', () => ({ passed: 2, failed: 0, skipped: 0 }));
    await report.suite('b', () => {
      throw new Error('no compiler');
    });
    code = report.close();
  });
  assert.equal(lines.at(-1), '2 passed, 1 failed');
  assert.equal(lines.filter((line) => /^\d+ passed, \d+ failed$/.test(line)).length, 1);
  assert.equal(code, 1);
});

test('report: nothing run is no success', async () => {
  let code;
  await quietly(() => {
    code = new Report().close();
  });
  assert.equal(code, 1);
});

test('what failed is told in one line each', () => {
  const spec = `✖ outer (8.9ms)
ℹ fail 2

✖ failing tests:

test at tests/a.test.mjs:2:27
✖ one, two (5.8ms)
  AssertionError: not equal
  + actual - expected

      at TestContext.<anonymous> (file:///a.test.mjs:2:57)

test at tests/b.test.mjs:3:8
✖ three (0.7ms)
  Error: timeout
`;
  assert.deepEqual(failuresOfNodeTest(spec), [
    'tests/a.test.mjs:2 one, two (5.8ms): AssertionError: not equal + actual - expected',
    'tests/b.test.mjs:3 three (0.7ms): Error: timeout',
  ]);
  assert.deepEqual(failuresOfNodeTest('ℹ fail 0'), []);
});
