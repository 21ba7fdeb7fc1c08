import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emptyDatabase } from '../../../test-support/database.ts';
import { poolsTransactions, type Session } from './pooling.ts';

/** A pooler that gives each transaction the next of so many connections that is free, the last one used first or last. */
function pooler(size: number, isRoundRobin: boolean): () => Promise<Session> {
  const free = Array.from({ length: size }, (_, n) => n);
  return async () => {
    let own: number | undefined;
    return {
      async query(sql) {
        const pid = own ?? free.pop() ?? assert.fail('every connection is in use');
        own = sql === 'BEGIN' || (own !== undefined && sql !== 'ROLLBACK') ? pid : undefined;
        if (own === undefined && isRoundRobin) free.unshift(pid);
        else if (own === undefined) free.push(pid);
        return { rows: [{ pid }] };
      },
      end: async () => undefined,
    };
  };
}

test('a pooler by transactions is recognised, whichever connection it gives next', async () => {
  for (const isRoundRobin of [false, true])
    for (const size of [2, 3, 8])
      assert.equal(
        await poolsTransactions('', pooler(size, isRoundRobin)),
        true,
        `${size}, round robin: ${isRoundRobin}`,
      );
});

test('a PostgreSQL is no pooler, and neither is one that gives each client a connection of its own', async () => {
  const database = await emptyDatabase();
  try {
    assert.equal(await poolsTransactions(database.url), false);
  } finally {
    await database.drop();
  }
});
