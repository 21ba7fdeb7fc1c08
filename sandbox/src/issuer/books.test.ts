import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { openStore, type Store } from '../store.ts';
import { checkBooks, openBooks } from './books.ts';
import { completeMovements } from './completions.ts';
import { DESTINATIONS } from './destinations.ts';
import { receivePayment } from './payins.ts';
import { acceptPayout } from './payouts.ts';
import { ISSUER_SCHEMA } from './schema.ts';
import { transferBatch } from './transfers.ts';
import { closeWallet, getWallet, openWallet, reserveWallet, type WalletRow } from './wallets.ts';

const AT = '2026-11-21T10:00:00.000Z';
const GBP = 'GBP';

function newBooks(): Store {
  const store = openStore(':memory:', ISSUER_SCHEMA);
  openBooks(store);
  return store;
}

function newWallet(store: Store, name: string): WalletRow {
  const holder = { kind: 'person', name } as const;
  const wallet = reserveWallet(store, `reserve-${name}`, { externalReference: name, holder }, AT);
  return openWallet(store, `open-${name}`, wallet.wallet_id, AT);
}

function payIn(store: Store, wallet: WalletRow, value: number, paymentId: string): void {
  const { sort_code, account_number, holder_name: name } = wallet;
  const debtor = { sort_code: '401276', account_number: '11223344', name: 'A Payer' };
  receivePayment(
    store,
    {
      payment_id: paymentId,
      end_to_end_id: paymentId,
      reference: 'REF',
      amount: { value, currency: GBP },
      creditor: { sort_code, account_number, name },
      debtor,
    },
    AT,
  );
}

interface Step {
  kind: 'payin' | 'transfer' | 'payout' | 'complete' | 'close';
  from: number;
  to: number;
  value: number;
  account: string;
  key: number;
}

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('payin', 'transfer', 'payout', 'complete', 'close'),
  from: fc.nat(2),
  to: fc.nat(2),
  value: fc.integer({ min: 1, max: 500 }),
  account: fc.constantFrom('12345678', ...Object.values(DESTINATIONS)),
  key: fc.nat(12),
});

describe('the issuer books', () => {
  it('stay in order and never below zero whatever is asked of them', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const store = newBooks();
        const wallets = ['a', 'b', 'c'].map((name) => newWallet(store, name));
        for (const one of steps) apply(store, wallets, one);
        completeMovements(store, '2026-11-22T00:00:00.000Z');
        assert.deepEqual(checkBooks(store), { total: 0, accountsOutOfStep: [] });
        const under = store.get<{ balance: number }>(
          `SELECT balance FROM accounts WHERE account_id = 'payouts_under_way'`,
        );
        assert.equal(under?.balance, 0);
        store.close();
      }),
      { numRuns: 60 },
    );
  });

  it('give every wallet account details of its own', () => {
    const store = newBooks();
    const numbers = new Set<string>();
    for (let n = 0; n < 50; n += 1) numbers.add(newWallet(store, `w${n}`).account_number);
    assert.equal(numbers.size, 50);
    assert.ok([...numbers].every((number) => /^\d{8}$/.test(number)));
  });

  it('keep a wallet open while a payout from it may come back', () => {
    const store = newBooks();
    const wallet = newWallet(store, 'a');
    payIn(store, wallet, 100, 'p-1');
    payOut(store, wallet, 100, DESTINATIONS.invalidAccount, 'k-1');
    const close = (key: string) => closeWallet(store, key, wallet.wallet_id, AT);
    assert.throws(() => close('c-1'), { code: 'wallet_not_empty' });
    completeMovements(store, '2026-11-21T10:00:10.000Z');
    assert.throws(() => close('c-1'), { code: 'wallet_not_empty' });
    assert.equal(getWallet(store, wallet.wallet_id).balance, 100);
  });
});

function apply(store: Store, wallets: WalletRow[], one: Step): void {
  const from = wallets[one.from];
  const to = wallets[one.to];
  assert.ok(from && to);
  try {
    if (one.kind === 'payin') payIn(store, to, one.value, `p-${one.key}`);
    if (one.kind === 'payout') payOut(store, from, one.value, one.account, `o-${one.key}`);
    if (one.kind === 'close') closeWallet(store, `c-${one.key}`, from.wallet_id, AT);
    if (one.kind === 'complete') completeMovements(store, '2026-11-21T10:00:10.000Z');
    if (one.kind === 'transfer') {
      const amount = { value: one.value, currency: GBP };
      const item = { from: from.wallet_id, to: to.wallet_id, amount, reference: '' };
      const keys = [`t-${one.key}`, `t-${one.key + 1}`];
      transferBatch(
        store,
        keys.map((key) => ({ idempotency_key: key, ...item })),
        Temporal.Instant.from(AT),
      );
    }
  } catch (error) {
    const known = ['idempotency_conflict', 'wallet_not_empty', 'account_closed'];
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    assert.ok(known.includes(code), code);
  }
}

function payOut(
  store: Store,
  wallet: WalletRow,
  value: number,
  account: string,
  key: string,
): void {
  const destination = { sort_code: '200000', account_number: account, name: 'A Merchant' };
  const amount = { value, currency: GBP };
  const order = { from: wallet.wallet_id, destination, amount, reference: 'PAYOUT' };
  acceptPayout(store, key, order, Temporal.Instant.from(AT));
}
