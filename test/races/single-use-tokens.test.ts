import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BankRefused, type Grant } from '../../server/src/banks/bank.ts';
import { assertLaws, onlyPaymentOf } from '../../server/test-support/books.ts';
import { Gate } from '../../server/test-support/gate.ts';
import { oneForEach } from '../../server/test-support/opened.ts';
import { asOwner } from '../../server/test-support/owner.ts';
import { breakRows, confirmAgain, justDue, mendRows, newPhone } from './acts.ts';

const { h, runFor } = oneForEach();

/**
 * Makes the bank take each refresh token once: a second use of one ends the whole grant, until the customer agrees again. Access
 * tokens are over at once, so each order renews. Returns how often a token was refused.
 */
function makeSingleUse(renewing: () => Promise<void> = async () => undefined): () => number {
  let tokens = 0;
  let current = 'token'; // as the fake bank gives it to whoever agrees
  let refusals = 0;
  const { completeAuthorisation } = h.bank;
  h.bank.completeAuthorisation = async (i) => {
    const grant = await completeAuthorisation.call(h.bank, i);
    current = `agreed-${++tokens}`;
    return { ...grant, accessToken: current };
  };
  h.bank.refresh = async (grant: Grant, mayRenew) => {
    if (mayRenew === undefined || !(await mayRenew())) return grant;
    if (grant.accessToken !== current) {
      current = 'lost';
      refusals += 1;
      const code = 'reauthentication_required';
      throw new BankRefused({ code, message: 'no', kind: 'retryable', bankCode: 'evicted' });
    }
    current = `renewed-${++tokens}`;
    const renewed = { ...grant, accessToken: current };
    await renewing();
    return renewed;
  };
  return () => refusals;
}

/** Creates two schedules of one customer under one consent: one is due now, the other in ten seconds. */
async function twoUnderOneConsent(): Promise<string[]> {
  await asOwner(h.db, (tx) => tx.run('UPDATE merchants SET reuse_consent = true'));
  const start = h.clock.at.round('second').add({ hours: 1 });
  const terms = { start_date: start.toString(), customer: { phone: newPhone() } };
  const first = await h.agreed(terms);
  await h.update(first.id, { amount: { value: 2000, currency: 'GBP' } });
  const second = await h.create({
    ...terms,
    start_date: start.add({ seconds: 10 }).toString(),
    amount: { value: 500, currency: 'GBP' },
  });
  assert.equal(second.status, 'active');
  await h.runUntil(start.subtract({ seconds: 1 }));
  h.clock.at = start;
  return [first.id, second.id];
}

test('two processes with a payment each under one consent renew its token one after the other', async () => {
  const ids = await twoUnderOneConsent();
  const gate = new Gate();
  const refusals = makeSingleUse(() => gate.pass());
  const drained = h.service.engine.drain();
  await gate.reached;
  h.clock.at = h.clock.at.add({ seconds: 10 });
  await h.another().engine.drain();
  gate.open();
  await drained;
  await runFor({ minutes: 5 });
  for (const id of ids) assert.equal((await onlyPaymentOf(h, id)).status, 'success');
  assert.equal(refusals(), 0);
  await assertLaws(h);
});

test('a token that is lost between its renewal and its storing needs the customer, once', async () => {
  const id = await justDue(h);
  const refusals = makeSingleUse();
  await breakRows(h, 'bank_grants', 'renewing_until IS NULL AND revision IS NOT NULL');
  await runFor({ seconds: 1 });
  await mendRows(h, 'bank_grants');
  await runFor({ hours: 1 });
  assert.ok(refusals() > 0);
  const { consent_notice: notice, portal_url: page } = await h.show(id);
  assert.equal(notice?.kind, 'reauthentication_needed');
  assert.notEqual((await onlyPaymentOf(h, id)).status, 'failed');
  assert.equal(await confirmAgain(h, page), 'confirmed');
  await runFor({ hours: 1 });
  assert.equal((await onlyPaymentOf(h, id)).status, 'success');
  await assertLaws(h);
});

test('a renewal that ends late does not take the place of what was agreed meanwhile', async () => {
  await justDue(h);
  const gate = new Gate();
  makeSingleUse(() => gate.pass());
  const drained = h.service.engine.drain();
  await gate.reached;
  await asOwner(h.db, (tx) => tx.run(`UPDATE bank_grants SET revision = 'agreed since'`));
  const stored = () =>
    h.db.read((tx) => tx.row<{ bankGrant: string }>('SELECT bank_grant FROM bank_grants'));
  const before = await stored();
  gate.open();
  await drained;
  assert.deepEqual(await stored(), before);
});
