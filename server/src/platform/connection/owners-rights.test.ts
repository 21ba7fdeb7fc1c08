import assert from 'node:assert/strict';
import { test } from 'node:test';
import { doingAsOwner } from './owners-rights.ts';
import type { Tx } from './transaction.ts';

/** A transaction that notes what it is told; the first word of each statement, and the role where one is taken on. */
function notingTx(): { tx: Tx; told: string[] } {
  const told: string[] = [];
  const note = async (sql: string, values: readonly unknown[] = []): Promise<never[]> => {
    told.push(sql.includes('set_config') ? String(values[0]) : (sql.split(' ')[0] ?? ''));
    return [];
  };
  const tx = { rows: note, row: async () => null, run: note } as unknown as Tx;
  return { tx: doingAsOwner(tx), told };
}

test('the team is read, and a link made, in the engine’s role, and nothing comes between', async () => {
  const { tx, told } = notingTx();
  await Promise.all([
    tx.rows('SELECT name FROM team_members'),
    tx.run('INSERT INTO user_links (token_hash) VALUES ($1)', ['']),
    tx.rows('UPDATE schedules SET description = $1', ['']),
  ]);
  assert.deepEqual(told, [
    ...['recollect_engine', 'SELECT', 'recollect_api'],
    ...['recollect_engine', 'INSERT', 'recollect_api'],
    'UPDATE',
  ]);
});

test('what the API’s role may do itself is done in its role', async () => {
  const { tx, told } = notingTx();
  await tx.rows('SELECT schedule_id FROM schedules');
  await tx.run('DELETE FROM user_links WHERE expires_at < now()');
  assert.deepEqual(told, ['SELECT', 'DELETE']);
});
