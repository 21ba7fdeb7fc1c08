import assert from 'node:assert/strict';
import { test } from 'node:test';
import Fastify from 'fastify';
import { emptyDatabase } from '../../../test-support/database.ts';
import { asOwner } from '../../../test-support/owner.ts';
import { openDb } from '../db/db.ts';
import { makeLog } from './log.ts';
import { LOG_EVENTS } from './log-events.ts';

/** Returns the line written for a logged object. */
function written(object: object, message = 'said'): Record<string, unknown> {
  const lines: string[] = [];
  makeLog('info', { write: (line) => void lines.push(line) }).info(object, message);
  assert.equal(lines.length, 1);
  return JSON.parse(lines[0] ?? '') as Record<string, unknown>;
}

const SECRETS = {
  phone: '+447700900123',
  account_number: '66374958',
  accountNumber: '66374958',
  sort_code: '089999',
  sortCode: '089999',
  authorization: 'Bearer rk_test_abc',
  cookie: 'session=abc',
  'set-cookie': 'session=abc',
  secret: 'whsec_abc',
  next_secret: 'whsec_def',
  clientSecret: 'ghi',
  api_key: 'rk_test_abc',
  apiKey: 'rk_test_abc',
  token: 'abc',
  access_token: 'abc',
  accessToken: 'abc',
  refresh_token: 'abc',
  refreshToken: 'abc',
  password: 'abc',
  link: 'abc',
  consent_url: 'https://pay.example/consent/abc',
  consentUrl: 'https://pay.example/consent/abc',
  grant: 'abc',
  bank_grant: 'abc',
  signingJwk: { d: 'abc' },
};

/** Returns every leaf of a value. */
function leaves(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [value];
  return Object.values(value).flatMap(leaves);
}

for (const [where, object] of Object.entries({
  'at the top': SECRETS,
  'one object deep': { customer: SECRETS },
  'six objects deep': { a: { b: { c: { d: { e: { f: SECRETS } } } } } },
  'in lists': { rows: [SECRETS, [SECRETS], { more: [SECRETS] }] },
}))
  test(`phones, account numbers, secrets, tokens and links are redacted ${where}`, () => {
    const { level, time, msg, ...rest } = written(object);
    assert.equal(msg, 'said');
    assert.deepEqual(new Set(leaves(rest)), new Set(['[redacted]']));
  });

test('what hangs on an error, or on the error behind it, is redacted too', () => {
  const cause = Object.assign(new Error('inner'), { response: { access_token: 'abc' } });
  const error = Object.assign(new Error('outer', { cause }), {
    request: { headers: { authorization: 'Bearer abc' }, body: { customer: { phone: '+44' } } },
  });
  const line = written({ err: error, payment_id: 'pay_1' });
  const said = line.err as { message: string; type: string; stack: string };
  assert.match(said.message, /^outer/);
  assert.equal(said.type, 'Error');
  assert.match(said.stack, /inner/);
  assert.equal(line.payment_id, 'pay_1');
  assert.doesNotMatch(JSON.stringify(line), /Bearer|\+44|"abc"/);
});

test('what hangs on one of several errors is redacted too', () => {
  const error = new AggregateError([Object.assign(new Error('one'), { token: 'abc' })], 'all');
  const { err } = written({ err: error });
  assert.deepEqual(
    (err as { errors: Record<string, unknown>[] }).errors.map((e) => [e.message, e.token]),
    [['one', '[redacted]']],
  );
  assert.doesNotMatch(JSON.stringify(err), /"abc"/);
});

test('a row that a constraint refused is logged by the constraint and its table, without its values', async (t) => {
  const database = await emptyDatabase();
  const db = openDb(database.url, 1);
  t.after(async () => {
    await db.close();
    await database.drop();
  });
  await asOwner(db, async (tx) => {
    await tx.run(
      'CREATE TABLE boxes (pence int CONSTRAINT boxes_not_below_zero CHECK (pence >= 0))',
    );
    await tx.run('GRANT ALL ON boxes TO recollect_engine');
  });
  const error = await db
    .read((tx) => tx.run('INSERT INTO boxes VALUES (-4711)'))
    .catch((thrown: unknown) => thrown);
  const { err } = written({ err: error });
  const { constraint, table } = err as Record<string, unknown>;
  assert.deepEqual([constraint, table], ['boxes_not_below_zero', 'boxes']);
  assert.match(JSON.stringify(error), /4711/);
  assert.doesNotMatch(JSON.stringify(err), /4711/);
});

test('an error logged on its own has its stack', () => {
  const lines: string[] = [];
  const error = Object.assign(new Error('alone'), { secret: 'abc' });
  makeLog('info', { write: (line) => void lines.push(line) }).ofLibrary.error(error);
  assert.match(lines[0] ?? '', /"stack":"Error: alone/);
  assert.doesNotMatch(lines[0] ?? '', /abc/);
});

test('what is not secret stands in the log as it is, and the logged object is not changed', () => {
  const at = Temporal.Instant.from('2026-03-02T10:00:00Z');
  const object = {
    payment_id: 'pay_1',
    polls: 3,
    ok: true,
    none: null,
    at,
    deep: { phone: '+44' },
  };
  const line = written(object);
  assert.deepEqual(
    [line.payment_id, line.polls, line.ok, line.none, line.at],
    ['pay_1', 3, true, null, '2026-03-02T10:00:00Z'],
  );
  assert.equal(object.deep.phone, '+44');
});

test('an object that holds itself, or has no end, is cut off and not followed for ever', () => {
  const ring: Record<string, unknown> = { name: 'ring', phone: '+44' };
  ring.self = ring;
  assert.doesNotMatch(JSON.stringify(written(ring)), /\+44/);
});

test('lines are one JSON object each, below the level nothing is written', () => {
  const lines: string[] = [];
  const log = makeLog('warn', { write: (line) => void lines.push(line) });
  log.info('not this');
  log.report('service.setting_doubtful', { warning: 'two\nlines' });
  assert.equal(lines.length, 1);
  assert.equal(lines[0]?.trimEnd().includes('\n'), false);
  const line = JSON.parse(lines[0] ?? '') as { time: string; level: number; pid?: number };
  assert.match(line.time, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  assert.equal(line.level, 40);
  assert.equal(line.pid, undefined);
});

test('an error of a request is told by its class through the log of the HTTP server too', async () => {
  const lines: string[] = [];
  const { ofLibrary } = makeLog('error', { write: (line) => void lines.push(line) });
  const app = Fastify({ loggerInstance: ofLibrary });
  app.get('/', (request) => {
    request.log.error({ err: new RangeError('beyond'), phone: '+44' }, 'failed');
    return 'done';
  });
  await app.inject('/');
  await app.close();
  const line = JSON.parse(lines[0] ?? '') as Record<string, string> & { err: { type: string } };
  assert.equal(line.err.type, 'RangeError');
  assert.equal(line.phone, '[redacted]');
});

test('an event is written with its code, and with the level and the sentence of the table', () => {
  const lines: string[] = [];
  const log = makeLog('info', { write: (line) => void lines.push(line) });
  log.report('payment.outcome_overdue', { payment_id: 'pay_1', phone: '+44' });
  log.report('payment.outcome_unknown');
  const [overdue, unknown] = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  assert.deepEqual(
    [overdue?.event, overdue?.level, overdue?.msg, overdue?.payment_id, overdue?.phone],
    [
      'payment.outcome_overdue',
      50,
      LOG_EVENTS['payment.outcome_overdue'].message,
      'pay_1',
      '[redacted]',
    ],
  );
  assert.deepEqual([unknown?.event, unknown?.level], ['payment.outcome_unknown', 40]);
});

test('a line of a library gets a code from warn on, and keeps what it says', () => {
  const lines: string[] = [];
  const { ofLibrary } = makeLog('info', { write: (line) => void lines.push(line) });
  const child = ofLibrary.child({ reqId: 'req_1' });
  child.info('served');
  child.warn({ route: '/' }, 'sent %d times', 2);
  child.error('broke');
  child.fatal(new Error('gone'));
  child.error(null, 'nothing');
  const written = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  assert.deepEqual(
    written.map(({ event, level, reqId, said }) => [event, level, reqId, said]),
    [
      [undefined, 30, 'req_1', undefined],
      ['http.library_reported', 50, 'req_1', 'sent 2 times'],
      ['http.library_reported', 50, 'req_1', 'broke'],
      ['http.library_reported', 50, 'req_1', 'gone'],
      ['http.library_reported', 50, 'req_1', 'nothing'],
    ],
  );
  assert.equal(written[1]?.route, '/');
  assert.match(JSON.stringify(written[3]?.err), /Error: gone/);
});

test('a logger that takes a line without a code is refused by the compiler', () => {
  const log = makeLog('silent');
  // @ts-expect-error: a line of warn or above goes through report, with a code of the table
  assert.equal(log.warn, undefined);
  // @ts-expect-error: and the code is one that there is
  assert.throws(() => log.report('payment.no_such_event'));
});

test('each line of a further engine says which one it is of', () => {
  const lines: string[] = [];
  const log = makeLog('info', { write: (line) => void lines.push(line) }, { engine: 3 });
  log.report('engine.clock_right');
  assert.equal((JSON.parse(lines[0] ?? '') as { engine: number }).engine, 3);
});
