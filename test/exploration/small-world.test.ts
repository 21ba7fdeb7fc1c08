// Slow: explores every order of events of a small world.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Explored, explore } from './explore.ts';
import { PRODUCT, type Rules, type Size } from './rules.ts';

/** One payment with a retry, two processes that crash at any step, and a bank that loses responses. */
const SIZE: Size = {
  payments: 1,
  acts: 0,
  attempts: 2,
  orders: 2,
  namesMoney: true,
  paysShort: false,
  deliversLate: false,
  returns: false,
};

const exploring = (size: Partial<Size>, rules: Partial<Rules> = {}): Explored =>
  explore({ ...PRODUCT, ...rules }, { ...SIZE, ...size });

describe('every state of a small world keeps the laws of money, and has a way to an end', () => {
  const worlds: Record<string, Partial<Size>> = {
    'processes crash, answers are lost': {},
    'money comes short, or goes back to the payer': { paysShort: true, returns: true },
    'orders arrive after their senders gave up': { attempts: 1, acts: 1, deliversLate: true },
    'a person says no, and asks for a retry': { acts: 2, orders: 1 },
    'two payments under one consent, money without a name': {
      payments: 2,
      acts: 1,
      attempts: 1,
      orders: 1,
      namesMoney: false,
    },
  };
  for (const [name, size] of Object.entries(worlds))
    test(name, () => {
      const { states, finding } = exploring(size);
      assert.equal(finding, null, finding ? `${finding.broken}: ${finding.way.join(', ')}` : '');
      assert.ok(states > 5_000, `only ${states} states were visited`);
    });
});

describe('the exploration finds what the decisions prevent', () => {
  const broken = (size: Partial<Size>, rules: Partial<Rules>): string | undefined =>
    exploring(size, rules).finding?.broken;

  test('an order that may have arrived is repeated after a no', () => {
    const mayOrder: Rules['mayOrder'] = (standing, attempt, call) =>
      PRODUCT.mayOrder(standing, attempt, call) ||
      (standing.mayBeSent &&
        PRODUCT.mayOrder({ ...standing, ...AS_ALLOWED, mayBeSent: true }, attempt, call));
    assert.equal(broken({ acts: 1 }, { mayOrder }), 'an order was sent after a no');
  });

  test('a retry by hand is sent whatever its schedule says', () => {
    const passes = <T extends { manual: boolean }>(standing: T): T =>
      standing.manual ? { ...standing, ...AS_ALLOWED } : standing;
    const rules: Partial<Rules> = {
      mayOrder: (standing, attempt, call) => PRODUCT.mayOrder(passes(standing), attempt, call),
      nextStep: (standing, ...times) => PRODUCT.nextStep(passes(standing), ...times),
    };
    assert.equal(broken({ acts: 2 }, rules), 'an order was sent after a no');
  });

  test('nobody can end a payment whose money does not come', () => {
    const refusalBy: Rules['refusalBy'] = (word) => (word === null ? null : 'it is still open');
    assert.equal(broken({ returns: true }, { refusalBy }), 'there is no way to an end');
  });

  test('money that no payment waits for is a line of the log', () => {
    assert.equal(broken({ paysShort: true }, { unexpected: 'lost' }), 'money has no place');
  });

  test('an order is repeated when the bank has forgotten its key', () => {
    const nextStep: Rules['nextStep'] = (standing, first, last, now) =>
      PRODUCT.nextStep(standing, first === null ? null : now, last, now);
    assert.equal(broken({ orders: 2 }, { nextStep }), 'an occurrence was debited twice');
  });

  test('a refusal is believed while an earlier order is on its way', () => {
    const believesRefusal = (): boolean => true;
    assert.equal(
      broken({ deliversLate: true }, { believesRefusal }),
      'an occurrence was debited twice',
    );
  });
});

/** What a stop changes, reset to the state before it. */
const AS_ALLOWED = {
  stoppedBy: null,
  consentStatus: 'granted',
  scheduleStatus: 'active',
} as const;
