import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BankRefused, BankUnavailable } from '../../server/src/banks/bank.ts';
import { checkConsents } from '../../server/src/consents/checks.ts';
import { readLink } from '../../server/src/consents/service.ts';
import {
  assertLaws,
  bankConsentOf,
  notifyOf,
  onlyPaymentOf,
} from '../../server/test-support/books.ts';
import { Gate } from '../../server/test-support/gate.ts';
import { oneForEach } from '../../server/test-support/opened.ts';
import { comeBack, confirmAgain, debitsOf, justDue, leaveToConfirm } from './acts.ts';

const { h, runFor } = oneForEach();

/**
 * Makes the bank refuse every order until the customer has authenticated again (U028). `isFirstLost`: its first answer is lost.
 */
function asksAgain(isFirstLost = false): void {
  h.bank.before = async (call) => {
    if (call !== 'submitPayment') return;
    if (isFirstLost) {
      isFirstLost = false;
      throw new BankUnavailable('the answer was lost');
    }
    const code = 'reauthentication_required';
    throw new BankRefused({ code, message: 'no', kind: 'retryable', bankCode: 'U028' });
  };
}

/** Returns a schedule whose due payment waits until its customer has confirmed the consent. */
async function waiting(): Promise<{ id: string; page: string | undefined }> {
  const id = await justDue(h);
  asksAgain();
  await runFor({ minutes: 5 });
  h.bank.before = null;
  const { consent_notice: notice, portal_url: page } = await h.show(id);
  assert.equal(notice?.kind, 'reauthentication_needed');
  return { id, page };
}

const attemptsOf = async (id: string) =>
  (await onlyPaymentOf(h, id)).attempts.map(({ status }) => status);

test('an order refused until the customer confirms waits, uses up no retry, and is sent once they have', async () => {
  const { id, page } = await waiting();
  const sent = h.bank.submitted.length;
  await runFor({ hours: 50 });
  assert.equal(h.bank.submitted.length, sent, 'something was sent while it waited');
  assert.deepEqual(await attemptsOf(id), ['processing']);
  assert.equal(await comeBack(h, await leaveToConfirm(h, page), 'access_denied'), 'declined');
  await runFor({ hours: 2 });
  assert.equal((await h.show(id)).consent_notice?.kind, 'reauthentication_needed');
  assert.equal(h.bank.submitted.length, sent);
  assert.equal(await confirmAgain(h, page), 'confirmed');
  await runFor({ minutes: 1 });
  assert.deepEqual(await attemptsOf(id), ['success']);
  assert.equal((await h.show(id)).consent_notice, null);
  assert.equal(debitsOf(h, (await onlyPaymentOf(h, id)).id), 1);
  assert.equal(await leaveToConfirm(h, page), null, 'there is nothing to confirm any more');
  await assertLaws(h);
});

test('where the bank itself calls the consent suspended after the refusal, confirming in its app ends the wait', async () => {
  const { id } = await waiting();
  const bankConsent = await bankConsentOf(h, id);
  const book = h.bank.consents.get(bankConsent);
  assert.ok(book);
  book.status = 'SUSP';
  await notifyOf(h, 'consent', bankConsent);
  await runFor({ hours: 1 });
  assert.equal((await h.show(id)).consent_notice?.kind, 'reauthentication_needed');
  book.status = 'AUTH';
  await runFor({ hours: 7 });
  assert.equal((await h.show(id)).consent_notice, null);
  assert.deepEqual(await attemptsOf(id), ['success']);
  await assertLaws(h);
});

test('where the refusal was lost, that of the repeat asks the customer, and the same attempt is paid', async () => {
  const id = await justDue(h);
  asksAgain(true);
  await runFor({ minutes: 30 });
  h.bank.before = null;
  const { consent_notice: notice, portal_url: page } = await h.show(id);
  assert.equal(notice?.kind, 'reauthentication_needed');
  assert.equal(await confirmAgain(h, page), 'confirmed');
  await runFor({ minutes: 1 });
  assert.deepEqual(await attemptsOf(id), ['success']);
  assert.equal(debitsOf(h, (await onlyPaymentOf(h, id)).id), 1);
  await assertLaws(h);
});

test('a look that had begun before the bank wanted the customer does not end the wait', async () => {
  const id = await justDue(h);
  const { portal_url: page } = await h.show(id);
  const before = await readLink(h.platform, page?.split('/').at(-1) ?? '');
  assert.ok(before);
  asksAgain();
  await runFor({ minutes: 5 });
  h.bank.before = null;
  await checkConsents(h.service.authorisation, [before]);
  assert.equal((await h.show(id)).consent_notice?.kind, 'reauthentication_needed');
  assert.equal(await confirmAgain(h, page), 'confirmed');
  await runFor({ minutes: 1 });
  assert.deepEqual(await attemptsOf(id), ['success']);
  await assertLaws(h);
});

test('the same answer of the bank confirms once, and an older journey does not count', async () => {
  const { page } = await waiting();
  const first = await leaveToConfirm(h, page);
  const second = await leaveToConfirm(h, page);
  assert.equal(await comeBack(h, first), 'unknown');
  assert.deepEqual((await Promise.all([comeBack(h, second), comeBack(h, second)])).sort(), [
    'confirmed',
    'over',
  ]);
});

test('a cancellation while the customer is at the bank wins: nothing is sent, and the consent is deleted', async () => {
  const { id, page } = await waiting();
  const bankConsent = await bankConsentOf(h, id);
  const state = await leaveToConfirm(h, page);
  const gate = new Gate();
  const complete = h.bank.completeAuthorisation.bind(h.bank);
  h.bank.completeAuthorisation = async (answer) => {
    const grant = await complete(answer);
    await gate.pass();
    return grant;
  };
  const back = comeBack(h, state);
  await gate.reached;
  const sent = h.bank.submitted.length;
  await h.update(id, { status: 'cancelled' });
  gate.open();
  assert.equal(await back, 'over');
  h.bank.completeAuthorisation = complete;
  await runFor({ hours: 30 });
  assert.equal(h.bank.submitted.length, sent);
  assert.equal((await onlyPaymentOf(h, id)).error?.code, 'schedule_cancelled');
  assert.ok(h.bank.deleted.includes(bankConsent));
  await assertLaws(h);
});

test('a withdrawal at the bank after the customer has confirmed ends the consent as ever', async () => {
  const { id, page } = await waiting();
  const bankConsent = await bankConsentOf(h, id);
  const state = await leaveToConfirm(h, page);
  const book = h.bank.consents.get(bankConsent);
  assert.ok(book);
  assert.equal(await comeBack(h, state), 'confirmed');
  book.status = 'CANC';
  book.reason = 'CUST';
  await notifyOf(h, 'consent', bankConsent);
  await runFor({ hours: 3 });
  assert.equal((await h.show(id)).status, 'cancelled');
  assert.equal(debitsOf(h, (await onlyPaymentOf(h, id)).id), 0);
  await assertLaws(h);
});

test('a customer who confirms a consent that the bank has doubted meanwhile brings no order about', async () => {
  const { id, page } = await waiting();
  const state = await leaveToConfirm(h, page);
  const bankConsent = await bankConsentOf(h, id);
  const book = h.bank.consents.get(bankConsent);
  assert.ok(book);
  Object.assign(book, { status: 'CANC', reason: 'CUST' });
  await notifyOf(h, 'consent', bankConsent);
  await runFor({ minutes: 1 });
  const sent = h.bank.submitted.length;
  const complete = h.bank.completeAuthorisation.bind(h.bank);
  h.bank.completeAuthorisation = async (answer) => {
    const grant = await complete(answer);
    Object.assign(book, { status: 'CANC', reason: 'CUST' }); // withdrawn again at once
    return grant;
  };
  assert.equal(await comeBack(h, state), 'confirmed');
  h.bank.completeAuthorisation = complete;
  await runFor({ hours: 3 });
  assert.equal(h.bank.submitted.length, sent);
  assert.equal((await h.show(id)).status, 'cancelled');
  await assertLaws(h);
});
