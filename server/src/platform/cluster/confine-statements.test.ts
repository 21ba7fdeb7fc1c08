import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { openHarness } from '../../../test-support/harness.ts';
import { reconcile } from '../../laws/reconciliation/reconciliation.ts';
import { confine } from './confine.ts';
import { meaningsOf } from './merchant-parameters.ts';

// Every statement that the service says in the life of some collections, held against what a cluster makes of it.

interface Said {
  text: string;
  values: readonly unknown[];
}
const said = new Map<string, Said>();
const texts = new Map<string, string>();
const { parse, bind } = pg.Connection.prototype;

before(async () => {
  pg.Connection.prototype.parse = function (this: pg.Connection, ...args) {
    const [{ name, text }] = args;
    texts.set(name, text);
    return parse.apply(this, args);
  };
  pg.Connection.prototype.bind = function (this: pg.Connection, ...args) {
    const { statement = '', values = [] } = args[0] ?? {};
    const text = texts.get(statement);
    if (text !== undefined) said.set(text, { text, values: [...values] });
    return bind.apply(this, args);
  };
  const h = await openHarness();
  said.clear(); // migrations run on the coordinator, and Citus reads them itself
  await h.agreed();
  await h.runUntil('2026-01-13T12:00:00Z');
  const payIn = [...h.issuer.wallets.values()]
    .flatMap((one) => one.movements)
    .find((one) => one.kind === 'payin');
  assert.ok(payIn);
  h.issuer.recall(payIn);
  await h.runUntil('2026-03-01T12:00:00Z');
  await reconcile(h.platform, h.issuer, Temporal.PlainDate.from('2026-01-10'));
  await h.close();
});
after(() => {
  Object.assign(pg.Connection.prototype, { parse, bind });
});

test('every statement can be confined', () => {
  assert.ok(said.size > 100, `${said.size} statements`);
  for (const { text, values } of said.values())
    assert.doesNotThrow(() => confine(text, `= $${values.length + 1}`), text);
});

test('every statement says which of its parameters are merchants', () => {
  const isMerchant = (value: unknown): boolean =>
    /^(\{"?)?mer_[0-9A-Za-z]{22}("?[,}]|$)/.test(String(value));
  const unclear = [...said.values()].filter(({ text, values }) => {
    const known = meaningsOf(text);
    return values.some((value, place) => isMerchant(value) && known.get(place + 1) !== 'merchant');
  });
  assert.deepEqual(
    unclear.map(({ text }) => text),
    [],
  );
});
