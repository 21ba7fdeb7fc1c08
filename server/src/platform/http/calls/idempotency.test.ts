import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import {
  bareMerchant,
  noteRoutes,
  type OwnPlatform,
  ownPlatform,
  testServer,
} from '../../../../test-support/slices/platform.ts';
import { forgetStage } from '../../retention/stages.ts';
import { ApiError, ERROR_STATUS, type ErrorCode } from '../../values/errors.ts';

let platform: OwnPlatform;
let app: FastifyInstance;
let merchant: string;
let runs = 0;
const somebodyIsRefused = Promise.withResolvers<void>();

before(async () => {
  platform = await ownPlatform();
  merchant = await bareMerchant(platform);
  app = await testServer(platform, {
    routes: noteRoutes(async (text) => {
      runs++;
      if (text === 'refuse') throw new ApiError('not_found', 'No such colour.');
      if (text in ERROR_STATUS) throw new ApiError(text as ErrorCode, 'No.');
      if (text === 'crash') throw new Error('crash');
      if (text === 'slow') await Promise.race([somebodyIsRefused.promise, sleep(10_000)]);
    }),
  });
});

after(async () => {
  await app.close();
  await platform.drop();
});

const write = (key: string, payload: object, as = merchant) =>
  app.inject({
    method: 'POST',
    url: '/api/v1/note',
    headers: { authorization: `Bearer ${as}`, 'idempotency-key': key },
    payload,
  });

const code = (answer: { json(): unknown }): string =>
  (answer.json() as { error: { code: string } }).error.code;

test('the same body in another order is the same body, and another value is not', async () => {
  const first = await write('order', { text: 'o', colour: 2 });
  assert.equal(first.statusCode, 200, first.body);
  const reordered = await app.inject({
    method: 'POST',
    url: '/api/v1/note',
    headers: {
      authorization: `Bearer ${merchant}`,
      'idempotency-key': 'order',
      'content-type': 'application/json',
    },
    payload: '{ "colour": 2.0, "text": "\\u006f" }',
  });
  assert.equal(reordered.headers['idempotent-replayed'], 'true', reordered.body);
  assert.equal(reordered.body, first.body);
  assert.equal(code(await write('order', { colour: 3, text: 'o' })), 'idempotency_conflict');
});

test('an answer that an older version stored is given again', async () => {
  const first = await write('older', { text: 'x' });
  await platform.db.transaction((tx) =>
    tx.run('UPDATE idempotency_keys SET meaning_hash = NULL WHERE key = $1', ['older']),
  );
  const again = await write('older', { text: 'x' });
  assert.deepEqual([again.headers['idempotent-replayed'], again.body], ['true', first.body]);
});

test('the same key and body get the first answer again, and nothing happens twice', async () => {
  runs = 0;
  const first = await write('a', { text: '1' });
  const woken = platform.woken;
  const again = await write('a', { text: '1' });
  assert.equal(first.statusCode, 200, first.body);
  assert.equal(first.headers['idempotent-replayed'], undefined);
  assert.equal(again.headers['idempotent-replayed'], 'true');
  assert.equal(again.statusCode, 200);
  assert.equal(again.body, first.body);
  assert.equal(runs, 1);
  assert.equal(platform.woken, woken);
});

test('the same key with another body is 409 idempotency_conflict', async () => {
  await write('b', { text: '1' });
  const answer = await write('b', { text: '2' });
  assert.equal(answer.statusCode, 409);
  assert.equal(code(answer), 'idempotency_conflict');
});

test('keys of two merchants have nothing to do with each other', async () => {
  const other = await bareMerchant(platform);
  await write('c', { text: '1' });
  const answer = await write('c', { text: 'other' }, other);
  assert.equal(answer.statusCode, 200);
  assert.equal(answer.headers['idempotent-replayed'], undefined);
});

test('a refusal is an answer like any other: it is kept, and what the work did is not', async () => {
  runs = 0;
  const name = async () =>
    platform.db.forMerchant(merchant, (tx) => tx.row('SELECT name FROM merchants'));
  const nameBefore = await name();
  const first = await write('d', { text: 'refuse' });
  const again = await write('d', { text: 'refuse' });
  assert.equal(first.statusCode, 404);
  assert.equal(again.statusCode, 404);
  assert.equal(again.body, first.body);
  assert.equal(again.headers['idempotent-replayed'], 'true');
  assert.equal(runs, 1);
  assert.deepEqual(await name(), nameBefore);
});

test('a refusal that says to do something else first and then repeat the same is not kept', async () => {
  const waiting: ErrorCode[] = [
    ...(['proof_required', 'second_factor_required', 'sso_required'] as const),
    ...(['key_limit_exceeded', 'request_in_progress'] as const),
    ...(['rate_limit_exceeded', 'service_unavailable'] as const),
  ];
  runs = 0;
  for (const text of waiting)
    for (const _ of [1, 2]) {
      const answer = await write(`wait-${text}`, { text });
      assert.equal(answer.statusCode, ERROR_STATUS[text]);
      assert.equal(answer.headers['idempotent-replayed'], undefined, text);
    }
  assert.equal(runs, 2 * waiting.length);
});

test('a 400 is kept too', async () => {
  assert.equal((await write('e', { text: 'bad' })).statusCode, 400);
  assert.equal((await write('e', { text: 'bad' })).headers['idempotent-replayed'], 'true');
  assert.equal(code(await write('e', { text: 'good' })), 'idempotency_conflict');
});

test('a fault of ours is not kept: the same key may try again', async () => {
  runs = 0;
  assert.equal((await write('f', { text: 'crash' })).statusCode, 500);
  assert.equal((await write('f', { text: 'crash' })).statusCode, 500);
  assert.equal(runs, 2);
});

test('a key that is empty, too long or not visible is 400', async () => {
  for (const key of ['', ' ', 'x'.repeat(256), 'two words', 'naïve']) {
    const answer = await write(key, { text: '1' });
    assert.equal(answer.statusCode, 400);
    assert.match(answer.body, /"Idempotency-Key"/);
  }
});

test('of twelve at once with one key, one does the work and the others wait or get its answer', async () => {
  runs = 0;
  const answers = await Promise.all(
    Array.from({ length: 12 }, async () => {
      const answer = await write('twelve', { text: 'slow' });
      if (answer.statusCode === 409) somebodyIsRefused.resolve();
      return answer;
    }),
  );
  assert.equal(runs, 1);
  const done = answers.filter((answer) => answer.statusCode === 200);
  const busy = answers.filter((answer) => answer.statusCode === 409);
  assert.equal(done.length + busy.length, 12);
  assert.ok(done.length >= 1 && busy.length >= 1);
  assert.ok(busy.every((answer) => code(answer) === 'request_in_progress'));
  // By this, a client tells it from other work under way, which says nothing of its own request.
  assert.ok(busy.every((answer) => answer.json().error.details['Idempotency-Key'] !== undefined));
  assert.ok(busy.every(({ headers }) => headers['retry-after'] === '1'));
  assert.equal(new Set(done.map((answer) => answer.body)).size, 1);
  const later = await write('twelve', { text: 'slow' });
  assert.equal(later.headers['idempotent-replayed'], 'true');
  assert.equal(runs, 1);
});

test('after 24 hours a key is new again', async () => {
  runs = 0;
  await write('day', { text: '1' });
  platform.clock.at = platform.clock.at.add({ hours: 24 }).subtract({ milliseconds: 1 });
  assert.equal((await write('day', { text: '1' })).headers['idempotent-replayed'], 'true');
  platform.clock.at = platform.clock.at.add({ milliseconds: 1 });
  assert.equal((await write('day', { text: '2' })).statusCode, 200);
  assert.equal(runs, 2);
});

test('answers are kept sealed: what a merchant is shown once does not stand in the database', async () => {
  await write('sealed', { text: 'a-secret-shown-once' });
  const rows = await platform.db.read((tx) =>
    tx.rows<{ responseBody: string }>('SELECT response_body FROM idempotency_keys'),
  );
  assert.ok(rows.length > 0);
  assert.ok(rows.every((row) => !row.responseBody.includes('secret')));
});

test('keys are forgotten after 24 hours, in batches', async () => {
  const stage = forgetStage(platform, 'idempotency_keys');
  const count = async () =>
    (await platform.db.read((tx) => tx.rows('SELECT FROM idempotency_keys'))).length;
  await stage.run(platform.clock.now(), 1000);
  for (let i = 0; i < 5; i++) await write(`batch${i}`, { text: '1' });
  const all = await count();
  assert.equal(await stage.run(platform.clock.now(), 1000), 0);
  const due = await platform.db.read((tx) => stage.nextDue(tx));
  assert.ok(due !== null && Temporal.Instant.compare(due, platform.clock.now()) > 0);
  platform.clock.at = platform.clock.at.add({ hours: 24 });
  assert.equal(await stage.run(platform.clock.now(), 2), 2);
  assert.equal(await count(), all - 2);
  assert.equal(await stage.run(platform.clock.now(), 1000), all - 2);
  assert.equal(await platform.db.read((tx) => stage.nextDue(tx)), null);
});
