import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boundsFor, Overloaded, WORK_CLASSES, type Work, WorkQueue } from './work-queue.ts';

/** Fills a queue with work that goes on until it is ended, and notes the order in which it begins. */
function filled(slots: number) {
  const refused: Work[] = [];
  const begun: Work[] = [];
  const ends: (() => void)[] = [];
  const queue = new WorkQueue(slots, (work) => refused.push(work));
  const add = (work: Work): Promise<void> => {
    const done = queue.run(work, () => {
      begun.push(work);
      return new Promise<void>((end) => ends.push(end));
    });
    done.catch(() => undefined); // what still waits at the end of a test is refused later
    return done;
  };
  const endOne = async (): Promise<void> => {
    ends.shift()?.();
    await new Promise(setImmediate);
  };
  return { queue, add, begun, refused, endOne };
}

test('work runs at once while there are slots, and no class uses more than its share', () => {
  const { queue, add } = filled(8);
  for (let i = 0; i < 8; i++) void add('reads');
  assert.deepEqual(queue.size('reads'), { running: 4, waiting: 4 });
  for (let i = 0; i < 8; i++) void add('changes');
  assert.deepEqual(queue.size('changes'), { running: 4, waiting: 4 });
});

test('the most important class that waits gets the next slot', async () => {
  const { add, begun, endOne } = filled(2);
  void add('changes');
  void add('reads');
  for (const work of [...WORK_CLASSES].reverse()) void add(work);
  begun.length = 0;
  for (let i = 0; i < WORK_CLASSES.length; i++) await endOne();
  assert.deepEqual(begun, [...WORK_CLASSES]);
});

test('beyond its place to wait a class is refused at once, lists long before changes', async () => {
  const { queue, add, refused } = filled(4);
  const { running, waiting, retryAfter } = queue.bounds.reads;
  for (let i = 0; i < running + waiting; i++) void add('reads');
  assert.throws(() => queue.refuseIfFull('reads'), Overloaded);
  const error = await add('reads').catch((thrown: unknown) => thrown);
  assert.ok(error instanceof Overloaded);
  assert.deepEqual([error.status, error.code], [503, 'service_unavailable']);
  assert.equal(error.retryAfter, retryAfter);
  assert.deepEqual(refused, ['reads', 'reads']);
  queue.refuseIfFull('changes');
});

test('who waits too long is refused, and takes no slot later', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { queue, add, endOne, begun } = filled(2);
  const first = add('reads');
  const late = add('reads').catch((thrown: unknown) => thrown);
  t.mock.timers.tick(queue.bounds.reads.waitMs);
  assert.ok((await late) instanceof Overloaded);
  await endOne();
  await first;
  assert.deepEqual(begun, ['reads']);
  assert.deepEqual(queue.size('reads'), { running: 0, waiting: 0 });
});

test('work that fails gives its slot back', async () => {
  const queue = new WorkQueue(1);
  for (let i = 0; i < 3; i++)
    await assert.rejects(
      queue.run('changes', async () => {
        throw new Error('no');
      }),
      /no/,
    );
  assert.deepEqual(queue.size('changes'), { running: 0, waiting: 0 });
});

test('every class runs at least one piece of work, however few slots there are', () => {
  for (const { running, waiting } of Object.values(boundsFor(1))) {
    assert.equal(running, 1);
    assert.ok(waiting >= 1);
  }
});
