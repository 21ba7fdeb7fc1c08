import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { readConsent } from '../../server/src/banks/open-banking/consents.ts';
import { readPayment } from '../../server/src/banks/open-banking/payments.ts';
import { readSigned } from '../../server/src/banks/open-banking/signed-answers.ts';
import { assertLaws, dueInAnHour, onlyPaymentOf } from '../../server/test-support/books.ts';
import { type Harness, openHarness } from '../../server/test-support/harness.ts';

let h: Harness | null = null;
afterEach(async () => {
  await h?.close();
  h = null;
});

test('an answer about another payment ends no payment, and nobody is debited twice', async () => {
  h = await openHarness('2026-01-05T09:30:00Z');
  const { bank } = h;
  bank.mood.slow = true;
  const one = await onlyPaymentOf(h, await dueInAnHour(h, { frequency: 'daily' }));
  const other = await onlyPaymentOf(
    h,
    await dueInAnHour(h, { customer: { phone: '+447700900555' } }),
  );
  const paid = bank.paymentOf(one.id, 1);
  const refused = bank.paymentOf(other.id, 1);
  bank.fail(refused, 'retryable');
  const read = bank.readPayment.bind(bank);
  // A cache in front of the bank mixes two signed answers up.
  bank.readPayment = () => read(refused.bankPaymentId);
  await h.runUntil(h.clock.at.add({ hours: 1 }));
  bank.readPayment = read;
  bank.cheerUp();
  await h.runUntil(h.clock.at.add({ hours: 6 }));
  bank.credit(paid);
  await h.runUntil(h.clock.at.add({ hours: 1 }));
  const debits = [...bank.payments.values()].filter(
    (p) => p.endToEndId.startsWith(one.id) && p.status === 'credited',
  );
  assert.equal(debits.length, 1, 'one debit for one occurrence');
  await assertLaws(h);
});

test('an answer about another consent or payment proves nothing', async () => {
  const consent = {
    Data: {
      ConsentId: 'another',
      CreationDateTime: '2026-01-05T09:30:00Z',
      Status: 'CANC',
      StatusUpdateDateTime: '2026-01-05T09:30:00Z',
      ControlParameters: {},
      Initiation: {},
    },
  };
  const payment = {
    Data: {
      DomesticVRPId: 'another',
      ConsentId: 'c',
      Status: 'RJCT',
      Instruction: { InstructionIdentification: 'x' },
    },
  };
  const answer = (body: object) => async () =>
    ({ kind: 'ok', httpStatus: 200, body: JSON.stringify(body), signature: 'e30..c2ln' }) as const;
  await assert.rejects(readConsent(answer(consent), 'mine'), { name: 'BankUnavailable' });
  await assert.rejects(readPayment(answer(payment), 'mine'), { name: 'BankUnavailable' });
  const keys = { keys: () => Promise.reject(new Error('not asked')), keysAt: '' };
  for (const [about, body] of [
    ['consent', consent],
    ['payment', payment],
  ] as const)
    await assert.rejects(readSigned(answer(body), keys, about, 'mine'), {
      message: `the bank answered with another ${about}`,
    });
});
