import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forGroup } from '../cluster/shards.ts';
import type { Tx } from '../db/db.ts';
import { LeaseHandoff } from './lease-handoff.ts';

const NOW = Temporal.Instant.from('2026-03-02T10:00:00Z');
interface Row {
  merchantId: string;
}
const [A, B, C] = ['a', 'b', 'c'].map((merchantId) => ({ merchantId })) as [Row, Row, Row];
const LEASE = Temporal.Duration.from({ minutes: 2 });

/** A transaction that commits when told to. */
function pending(): { tx: Tx; commit(): void } {
  const done: (() => void)[] = [];
  const tx = { afterCommit: (then: () => void) => void done.push(then) } as unknown as Tx;
  return { tx, commit: () => done.forEach((then) => void then()) };
}

function handOver(claims: LeaseHandoff<Row>, rows: Row[]): void {
  const { tx, commit } = pending();
  claims.handOver(tx, NOW, claims.dueAt(NOW), rows);
  commit();
}

test('nothing is handed on in a process that takes nothing: its rows fall due at once', () => {
  const claims = new LeaseHandoff<Row>(LEASE);
  assert.ok(claims.dueAt(NOW).equals(NOW));
  handOver(claims, [A]);
  assert.ok(claims.isEmpty);
});

test('what was committed is taken once, in its order', () => {
  const claims = new LeaseHandoff<Row>(LEASE);
  claims.hasConsumer = true;
  handOver(claims, [A, B, C]);
  assert.deepEqual([claims.take(NOW, 2), claims.take(NOW, 2), claims.isEmpty], [[A, B], [C], true]);
});

test('what is not committed is not handed on', () => {
  const claims = new LeaseHandoff<Row>(LEASE);
  claims.hasConsumer = true;
  claims.handOver(pending().tx, NOW, claims.dueAt(NOW), [A]);
  assert.ok(claims.isEmpty);
});

test('a row whose lease is half over is left to its lease', () => {
  const claims = new LeaseHandoff<Row>(LEASE);
  claims.hasConsumer = true;
  handOver(claims, [A]);
  assert.deepEqual(claims.take(NOW.add({ seconds: 60 }), 1), []);
});

test('more than memory should hold fall due at once', () => {
  const claims = new LeaseHandoff<Row>(LEASE);
  claims.hasConsumer = true;
  handOver(
    claims,
    Array.from({ length: 5_000 }, () => A),
  );
  assert.ok(claims.dueAt(NOW).equals(NOW));
});

test('whoever works for some merchants takes what is theirs, and leaves the rest', async () => {
  const claims = new LeaseHandoff<Row>(LEASE);
  claims.hasConsumer = true;
  handOver(claims, [A, B, A, C, A]);
  assert.deepEqual(claims.merchantIds(), ['a', 'b', 'c']);
  const taken = await forGroup(['a', 'c'], async () => claims.take(NOW, 3));
  assert.deepEqual(
    [taken, claims.take(NOW, 9)],
    [
      [A, A, C],
      [B, A],
    ],
  );
});
