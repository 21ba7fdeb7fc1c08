import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  fromAccountReference,
  toAccountReference,
  toPence,
  toPounds,
  toQueryTime,
  toStatementText,
} from './names.ts';

const WALLET = `mer_${'aB3'.repeat(7)}z/wal_${'9yZ'.repeat(7)}0`;

test('writes our names of wallets as Modulr takes them, and reads them back', () => {
  for (const name of [WALLET, 'operator/fees', 'wal_1']) {
    const written = toAccountReference(name);
    assert.match(written, /^[\w -]{1,50}$/);
    assert.equal(fromAccountReference(written), name);
  }
  for (const other of [undefined, '', 'Funding account 1', 'a.b'])
    assert.equal(fromAccountReference(other), null);
});

test('writes references that a statement takes, and amounts to the penny', () => {
  for (const reference of ['pay_1', WALLET, '', 'aaaaaaaa', 'REF-123456'])
    assert.match(toStatementText(reference), /^(?!(.)\1*$)[\w ]{6,18}$/, reference);
  for (const pence of [1, 29, 4_999, 57_321, 100_000_000]) {
    assert.equal(toPence(JSON.parse(JSON.stringify(toPounds(pence)))), pence);
    assert.equal(toPence((pence / 100).toFixed(2)), pence);
  }
  assert.equal(toPence('-0.01'), -1);
  for (const wrong of [0.005, 'x', 1e15]) assert.throws(() => toPence(wrong));
});

test('writes moments to the second, never later than they are', () => {
  const at = Temporal.Instant.from('2026-01-05T10:30:00.999Z');
  assert.equal(toQueryTime(at), '2026-01-05T10:30:00+0000');
});
