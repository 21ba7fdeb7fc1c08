import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { asOwner } from '../../../test-support/owner.ts';
import {
  bareMerchant,
  type OwnPlatform,
  ownPlatform,
} from '../../../test-support/slices/platform.ts';
import type { Tx } from '../db/db.ts';
import { moveRows, type Step } from './move-rows.ts';
import { type StateMachine, transition } from './state-machine.ts';

type Job = 'waiting' | 'running' | 'done' | 'failed';

const JOBS: StateMachine<Job> = {
  noun: 'jobs',
  table: 'jobs',
  key: ['merchant_id', 'job_id'],
  states: {
    waiting: { status: 'open', stage: 'wait' },
    running: { status: 'open', stage: 'run' },
    done: { status: 'done', stage: null },
    failed: { status: 'failed', stage: null },
  },
  begins: ['waiting'],
  edges: [
    { from: 'waiting', to: 'running', why: 'taken up' },
    { from: 'running', to: 'done', why: 'finished', event: 'job.done' },
    { from: 'running', to: 'failed', why: 'it broke' },
    { from: 'done', to: 'waiting', why: 'done again' },
    { from: 'failed', to: 'waiting', why: 'tried again' },
  ],
};

/** Jobs whose stage stands in a table of its own. */
const WORKED: StateMachine<Job> = { ...JOBS, table: 'worked_jobs', work: 'job_work' };

const AT = Temporal.Instant.from('2026-03-02T10:00:00Z');

let platform: OwnPlatform;

before(async () => {
  platform = await ownPlatform();
  await asOwner(platform.db, async (tx) => {
    await tx.run(
      'CREATE TABLE jobs (merchant_id text, job_id text, status text, stage text, note text)',
    );
    await tx.run(
      'CREATE TABLE worked_jobs (merchant_id text, job_id text, status text, note text)',
    );
    await tx.run('CREATE TABLE job_work (merchant_id text, job_id text, stage text, tries int)');
    await tx.run('GRANT ALL ON jobs, worked_jobs, job_work TO recollect_engine');
  });
});

after(() => platform.drop());

/** Inserts five jobs of a new merchant, a to e, and moves the named ones. Returns the result and the rows afterwards. */
async function moved(
  ids: string[],
  step: Partial<Step<Job, string>> & Pick<Step<Job, string>, 'move'>,
) {
  const merchantId = await bareMerchant(platform);
  return platform.db.transaction(async (tx) => {
    await tx.run(
      `INSERT INTO jobs VALUES ($1, 'a', 'open', 'wait'), ($1, 'b', 'open', 'run'), ($1, 'c', 'open', 'run'),
         ($1, 'd', 'done', NULL), ($1, 'e', 'failed', NULL)`,
      [merchantId],
    );
    const made = await moveRows<Job, string, { note: string | null }>(tx, AT, {
      rows: ids,
      columns: {
        merchant_id: ['text', () => merchantId],
        job_id: ['text', (id) => id],
        word: ['text', (id) => `n${id}`],
      },
      audit: (id) => ({ merchantId, objectId: id, scheduleId: null, reason: 'a test' }),
      returning: 't.note',
      ...step,
    });
    return {
      made: made.map(({ row }) => row),
      notes: made.map(({ note }) => note),
      ...(await readAll(tx, merchantId)),
    };
  });
}

async function readAll(tx: Tx, merchantId: string) {
  const lines = async (sql: string): Promise<string[]> =>
    (await tx.rows<{ line: string }>(sql, [merchantId])).map(({ line }) => line);
  return {
    jobs: await lines(`SELECT job_id || ' ' || status || ' ' || coalesce(stage, '-') AS line FROM jobs
      WHERE merchant_id = $1 ORDER BY job_id`),
    changes:
      await lines(`SELECT object_id || ' ' || from_state || ' ' || to_state AS line FROM state_changes
      WHERE merchant_id = $1 ORDER BY change_id`),
    events: await lines(
      `SELECT kind || ' ' || subject_id AS line FROM events WHERE merchant_id = $1 ORDER BY event_id`,
    ),
  };
}

test('rows move along their edge, in the order asked for; what stands elsewhere is left alone', async () => {
  const done = await moved(['c', 'a', 'b', 'd'], {
    move: transition(JOBS, ['running'], 'done'),
    set: 'note = n.word',
    events: { platform, of: () => ({ data: {} }) },
  });
  assert.deepEqual(done.made, ['c', 'b']);
  assert.deepEqual(done.notes, ['nc', 'nb']);
  assert.deepEqual(done.jobs, ['a open wait', 'b done -', 'c done -', 'd done -', 'e failed -']);
  assert.deepEqual(done.changes, ['c open done', 'b open done']);
  assert.deepEqual(done.events, ['job.done c', 'job.done b']);
});

test('each event of an edge is appended, in their order, with what is said of it', async () => {
  const edges = JOBS.edges.map((edge) =>
    edge.to === 'done' ? { ...edge, event: ['job.done', 'job.closed'] } : edge,
  );
  const done = await moved(['c', 'b'], {
    move: transition({ ...JOBS, edges }, ['running'], 'done'),
    events: { platform, of: (row, kind) => ({ data: { row, kind } }) },
  });
  assert.deepEqual(done.events, ['job.done c', 'job.closed c', 'job.done b', 'job.closed b']);
});

test('where the status stays, the audit trail is silent', async () => {
  const taken = await moved(['a'], { move: transition(JOBS, ['waiting'], 'running') });
  assert.deepEqual([taken.made, taken.changes, taken.events], [['a'], [], []]);
});

test('each row makes the move that is chosen for it, or that leads on from where it stands', async () => {
  const finish = transition(JOBS, ['running'], 'done');
  const fail = transition(JOBS, ['running'], 'failed');
  const chosen = await moved(['b', 'c', 'e'], {
    move: [finish, fail],
    choose: (id) => (id === 'b' ? finish : fail),
    events: { platform, of: () => ({ data: {} }) },
  });
  assert.deepEqual(chosen.made, ['b', 'c']);
  assert.deepEqual(chosen.changes, ['b open done', 'c open failed']);
  assert.deepEqual(chosen.events, ['job.done b']);
  const on = await moved(['a', 'd', 'e'], {
    move: [
      transition(JOBS, ['waiting'], 'running'),
      transition(JOBS, ['done', 'failed'], 'waiting'),
    ],
  });
  assert.deepEqual(on.jobs, [
    'a open run',
    'b open run',
    'c open run',
    'd open wait',
    'e open wait',
  ]);
});

test('a further condition leaves rows alone, and money is booked of those that moved', async () => {
  const booked: string[] = [];
  const some = await moved(['b', 'c'], {
    move: transition(JOBS, ['running'], 'failed'),
    where: `n.word = 'nc'`,
    book: async (rows) => void booked.push(...rows),
  });
  assert.deepEqual([some.made, booked], [['c'], ['c']]);
});

test('where nothing moves, no money is booked and nothing is written', async () => {
  let times = 0;
  const none = await moved(['a', 'd'], {
    move: transition(JOBS, ['running'], 'failed'),
    book: async () => void times++,
  });
  assert.deepEqual([none.made, none.changes, none.events, times], [[], [], [], 0]);
});

test('a move whose edge names an event is not made without it', async () => {
  await assert.rejects(
    moved(['b'], { move: transition(JOBS, ['running'], 'done') }),
    /names job.done/,
  );
});

/** The same jobs, with their stages in a table of their own, and a move of the named ones. Returns what is there afterwards. */
async function movedWithWork(
  ids: string[],
  step: Pick<Step<Job, string>, 'move' | 'set' | 'setWork'>,
) {
  const merchantId = await bareMerchant(platform);
  return platform.db.transaction(async (tx) => {
    await tx.run(
      `WITH jobs AS (INSERT INTO worked_jobs VALUES ($1, 'a', 'open'), ($1, 'b', 'open'), ($1, 'c', 'open'), ($1, 'd', 'done'))
       INSERT INTO job_work VALUES ($1, 'a', 'wait', 0), ($1, 'b', 'run', 0), ($1, 'c', 'run', 0)`,
      [merchantId],
    );
    const made = await moveRows<Job, string, { note: string | null }>(tx, AT, {
      rows: ids,
      columns: {
        merchant_id: ['text', () => merchantId],
        job_id: ['text', (id) => id],
      },
      audit: (id) => ({ merchantId, objectId: id, scheduleId: null, reason: 'a test' }),
      events: { platform, of: () => ({ data: {} }) },
      returning: 't.note',
      ...step,
    });
    const rows = await tx.rows<{ line: string }>(
      `SELECT concat_ws(' ', job_id, status, note, stage, tries) AS line
       FROM worked_jobs LEFT JOIN job_work USING (merchant_id, job_id) WHERE merchant_id = $1 ORDER BY job_id`,
      [merchantId],
    );
    const { changes, events } = await readAll(tx, merchantId);
    return {
      made: made.map(({ row }) => row),
      jobs: rows.map(({ line }) => line),
      changes,
      events,
    };
  });
}

test('a move within the work leaves the row alone', async () => {
  const taken = await movedWithWork(['b', 'a', 'd'], {
    move: transition(WORKED, ['waiting'], 'running'),
    setWork: 'tries = w.tries + 1',
  });
  assert.deepEqual(taken.made, ['a']);
  assert.deepEqual(taken.jobs, ['a open run 1', 'b open run 0', 'c open run 0', 'd done']);
  assert.deepEqual([taken.changes, taken.events], [[], []]);
});

test('a move that ends the work deletes it, and changes the row, the audit trail and the events', async () => {
  const done = await movedWithWork(['c', 'a', 'd'], {
    move: transition(WORKED, ['running'], 'done'),
    set: `note = 'moved'`,
  });
  assert.deepEqual(done.made, ['c']);
  assert.deepEqual(done.jobs, ['a open wait 0', 'b open run 0', 'c done moved', 'd done']);
  assert.deepEqual([done.changes, done.events], [['c open done'], ['job.done c']]);
});
