import assert from 'node:assert/strict';
import { test } from 'node:test';
import Fastify from 'fastify';
import { envelope, headersOf, toApiError } from '../calls/errors.ts';
import { addAdmission, reportRefusals } from './admission.ts';
import { type Work, WorkQueue } from './work-queue.ts';

const SLOTS = 4;

/** A server whose handlers end when the test says so. */
async function open() {
  const refused: Work[] = [];
  const held: (() => void)[] = [];
  const queue = new WorkQueue(SLOTS, (work) => refused.push(work));
  const app = Fastify();
  app.setErrorHandler((thrown, _request, reply) => {
    const error = toApiError(thrown);
    return reply.code(error.status).headers(headersOf(error)).send(envelope(error));
  });
  addAdmission(app, queue);
  const handler = () => new Promise<string>((resolve) => held.push(() => resolve('done')));
  app.get('/list', handler);
  app.post('/change', handler);
  app.get('/file', { config: { work: 'exports' } }, handler);
  app.post('/notice', { config: { work: 'collections' } }, handler);
  app.get('/health', { config: { work: 'unbounded' } }, async () => 'up');
  await app.ready();
  const ask = (method: 'GET' | 'POST' | 'HEAD', url: string, count: number) =>
    Array.from({ length: count }, () => app.inject({ method, url }).then((answer) => answer));
  const endAll = async (answers: Promise<unknown>[]): Promise<void> => {
    let isOver = false;
    void Promise.all(answers).then(() => {
      isOver = true;
    });
    while (!isOver) {
      for (const end of held.splice(0)) end();
      await new Promise(setImmediate);
    }
  };
  return { app, queue, refused, ask, endAll };
}

const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));

test('ten times what a service carries: lists are refused with Retry-After, changes and notifications are served', async () => {
  const { queue, refused, ask, endAll } = await open();
  const lists = ask('GET', '/list', SLOTS * 10);
  const files = ask('GET', '/file', SLOTS * 2);
  await settled();
  const changes = ask('POST', '/change', SLOTS * 5);
  const notices = ask('POST', '/notice', SLOTS * 5);
  await settled();
  const { reads, exports } = queue.bounds;
  assert.deepEqual(queue.size('reads'), { running: reads.running, waiting: reads.waiting });
  await endAll([...lists, ...files, ...changes, ...notices]);
  for (const answer of await Promise.all([...changes, ...notices]))
    assert.equal(answer.statusCode, 200);
  const codes = (await Promise.all(lists)).map(({ statusCode }) => statusCode);
  assert.equal(codes.filter((code) => code === 200).length, reads.running + reads.waiting);
  assert.equal(
    refused.length,
    SLOTS * 12 - reads.running - reads.waiting - exports.running - exports.waiting,
  );
  const answer = (await Promise.all(lists)).find(({ statusCode }) => statusCode !== 200);
  assert.equal(answer?.statusCode, 503);
  assert.equal(answer?.headers['retry-after'], String(reads.retryAfter));
  assert.equal(answer?.json().error.code, 'service_unavailable');
});

test('health checks are answered while everything else is refused', async () => {
  const { app, ask, endAll } = await open();
  const lists = ask('GET', '/list', SLOTS * 10);
  await settled();
  assert.equal((await app.inject({ url: '/list' })).statusCode, 503);
  assert.equal((await app.inject({ url: '/health' })).body, 'up');
  await endAll(lists);
});

test('a HEAD request takes one slot, as its GET does', async () => {
  const { queue, ask, endAll } = await open();
  const heads = ask('HEAD', '/list', 1);
  await settled();
  assert.deepEqual(queue.size('reads'), { running: 1, waiting: 0 });
  await endAll(heads);
});

test('a caller who has gone waits for no list any more, and what they wanted changed is still done', async () => {
  const { app, queue, endAll } = await open();
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  const caller = new AbortController();
  const ask = (method: 'GET' | 'POST', path: string) =>
    fetch(address + path, { method, signal: caller.signal }).catch(() => null);
  const { reads, changes } = queue.bounds;
  const lists = Array.from({ length: reads.running + 1 }, () => ask('GET', '/list'));
  const posts = Array.from({ length: changes.running }, () => ask('POST', '/change'));
  while (queue.size('reads').waiting < 1 || queue.size('changes').waiting < 1) await settled();
  caller.abort();
  while (queue.size('reads').waiting > 0) await settled();
  assert.equal(queue.size('changes').waiting, 1);
  await Promise.all([...lists, ...posts]);
  await endAll([untilEmpty(queue)]);
  await app.close();
});

async function untilEmpty(queue: WorkQueue): Promise<void> {
  const left = (work: Work) => queue.size(work).running + queue.size(work).waiting;
  while (left('reads') + left('changes') > 0) await settled();
}

test('refusals are logged once a minute, with their number', (t) => {
  const lines: object[] = [];
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  const report = reportRefusals({
    report: (_event: string, fields?: object) => lines.push(fields ?? {}),
  });
  for (const at of [0, 1, 59_999, 60_000]) {
    now = at;
    report('reads');
  }
  assert.deepEqual(lines, [
    { work: 'reads', refused: 1 },
    { work: 'reads', refused: 3 },
  ]);
});
