import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { ADD_TEST_KEYS } from './test-keys.ts';

const SOURCE = new URL('../src/', import.meta.url);

test('each table without its keys in the product gets its rows from one file', async () => {
  const names = await readdir(SOURCE, { recursive: true });
  const files = names.filter((name) => name.endsWith('.ts') && !/test/.test(name));
  const writers = new Map<string, Set<string>>();
  for (const file of files)
    for (const [, table = ''] of (await readFile(new URL(file, SOURCE), 'utf8')).matchAll(
      /INSERT INTO (\w+)/g,
    ))
      writers.set(table, (writers.get(table) ?? new Set()).add(file));
  const tables = ADD_TEST_KEYS.map((sql) => /ALTER TABLE (\w+)/.exec(sql)?.[1] ?? '');
  assert.deepEqual(
    Object.fromEntries([...new Set(tables)].map((t) => [t, [...(writers.get(t) ?? [])]])),
    {
      payments: ['payments/books/payment-store.ts'],
      payment_work: ['payments/books/payment-store.ts'],
      attempts: ['payments/books/attempt-store.ts'],
      payment_orders: ['payments/books/order-store.ts'],
      to_settle: ['payments/books/settling-store.ts'],
      transfers: ['wallets/ledger-store.ts'],
      events: ['platform/state/events.ts'],
      deliveries: ['webhooks/state-store.ts'],
    },
  );
});
