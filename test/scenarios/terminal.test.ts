import assert from 'node:assert/strict';
import { after, before, type TestContext, test } from 'node:test';
import type { Command } from 'commander';
import { program } from '../../server/src/app/cli/program.ts';
import { linesOf } from '../../server/src/app/cli/run-program.ts';
import { startTestService, type TestService } from '../../server/test-support/service.ts';
import { grantedSchedule } from './acts.ts';

// What a merchant's developer does at the terminal, against a running sandbox.

let service: TestService;
let scheduleId: string;

before(async () => {
  service = await startTestService({ start: '2026-03-20T09:00:00Z' });
  scheduleId = (await grantedSchedule(service, 'alex', { frequency: { type: 'daily' } })).id;
});
after(() => service?.close());

/** Has a command throw what it would print before it ends the process. */
function quietly(command: Command): Command {
  command.exitOverride().configureOutput({ writeErr: () => undefined });
  for (const one of command.commands) quietly(one);
  return command;
}

/** Runs a command in this process; returns the lines that it printed. */
async function run(t: TestContext, ...args: string[]): Promise<string[]> {
  let printed = '';
  const real = process.stdout.write.bind(process.stdout);
  // The test runner reports on the same stream, in bytes.
  const write = t.mock.method(process.stdout, 'write', (said: string | Uint8Array) => {
    if (typeof said !== 'string') return real(said);
    printed += said;
    return true;
  });
  try {
    const env = { RECOLLECT_API_KEY: service.apiKey, BASE_URL: service.baseUrl };
    await quietly(program(env)).parseAsync(args, { from: 'user' });
    return printed.trimEnd().split('\n');
  } finally {
    write.mock.restore();
  }
}

/** Runs a command that fails; returns what a person reads of it. */
const refusal = async (t: TestContext, ...args: string[]): Promise<string> => {
  try {
    await run(t, ...args);
  } catch (error) {
    return linesOf(error).join('\n');
  }
  return assert.fail('it was done');
};

test('the clock is moved, and what happened is counted', async (t) => {
  const lines = await run(t, 'advance', 'P5D');
  assert.match(lines.join('\n'), /^from +Fri 20 Mar 2026, 09:00\nto +Wed 25 Mar 2026, 09:00\n/);
  assert.match(lines.join('\n'), /events:\n {2}EVENT +TIMES\n(.*\n)* {2}collection\.success +[45]/);
});

test('schedules, payments and settlements are tables, in the merchant’s days and in pounds', async (t) => {
  const [head = '', row = ''] = await run(t, 'schedules', 'list', '--status', 'active');
  assert.match(head, /^SCHEDULE +CUSTOMER +AMOUNT +EVERY +STATUS +NEXT$/);
  assert.match(row, new RegExp(`^${scheduleId} .*£49\\.99  day +active +\\w{3} \\d+ Mar 2026$`));
  const payments = await run(t, 'payments', 'list', '--schedule', scheduleId, '--limit', '1');
  assert.match(payments[1] ?? '', /^pay_\w+ +\w{3} \d+ Mar 2026 +£49\.99 +success +sch_/);
  assert.match(payments[2] ?? '', /^1 of [45]: --limit shows more$/);
  assert.match((await run(t, 'settlements', 'list'))[0] ?? '', /^SETTLEMENT +DAY +COLLECTED/);
});

test('one of them is shown with all that belongs to it, and as JSON as the API returns it', async (t) => {
  const schedule = (await run(t, 'schedules', 'show', scheduleId)).join('\n');
  assert.match(schedule, /status +active\n[\s\S]*collects +every day\n/);
  const json = JSON.parse((await run(t, 'payments', 'list', '--json')).join('\n'));
  const payment = json.data[0];
  assert.deepEqual(payment.amount, { value: 4999, currency: 'GBP' });
  const shown = (await run(t, 'payments', 'show', payment.id)).join('\n');
  assert.match(shown, /attempts:\n {2}ATTEMPT +STARTED +STATUS/);
});

test('what is wrong is named: the argument, the option, or the field', async (t) => {
  assert.equal(
    await refusal(t, 'payments', 'show', 'pay_nothing'),
    'payment_id: there is no payment pay_nothing',
  );
  assert.match(
    await refusal(t, 'payments', 'list', '--limit', '500'),
    /--limit <number>.*1 to 100/,
  );
  assert.match(
    await refusal(t, 'payments', 'list', '--status', 'paid'),
    /--status.*Allowed choices/,
  );
  assert.match(await refusal(t, 'payments', 'list', '--from', 'may'), /^from: must be an ISO 8601/);
  assert.match(await refusal(t, 'advance', 'P1'), /^by: must be an ISO 8601 duration/);
  assert.match(await refusal(t, 'schedules', 'show'), /missing required argument 'schedule_id'/);
});
