import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeSampledReport } from './sampled-report.ts';

test('the first event is logged, the others of its minute are counted', () => {
  let now = 0;
  const lines: [string, unknown][] = [];
  const report = makeSampledReport(
    { report: (code, fields) => lines.push([code, fields]) },
    () => now,
  );
  const refuse = (bank: string) =>
    report('bank.notification_refused', bank, { bank_id: bank, reason: 'no signature' });
  for (let count = 0; count < 1000; count += 1) refuse('alpha');
  refuse('beta');
  const of = (bank_id: string, left_out: number) => [
    'bank.notification_refused',
    { bank_id, reason: 'no signature', left_out },
  ];
  assert.deepEqual(lines, [of('alpha', 0), of('beta', 0)]);
  now = 60_000;
  refuse('alpha');
  refuse('alpha');
  assert.deepEqual(lines.slice(2), [of('alpha', 999)]);
});
