import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  AuthorisationDenied,
  AuthorisationInvalid,
  type Bank,
  BankRefused,
  type BankTraits,
  BankUnavailable,
  type Grant,
  NotificationInvalid,
  type PaymentErrorCode,
} from './bank.ts';
import {
  agreed,
  type BankDriver,
  begun,
  eventually,
  final,
  isPaid,
  pageOf,
  paymentOf,
  secret,
  termsFor,
} from './bank-journey.ts';

/**
 * The conformance suite of a connector, whatever its protocol (docs/guides/write-a-bank-connector.md). Where banks differ, their
 * traits say which of two promises is tested. Each test creates its own consent, so their order does not matter. `makeBank` and
 * `drive` are called once each, before the first test.
 */
export function bankContract(
  name: string,
  traits: BankTraits,
  makeBank: () => Promise<Bank>,
  drive: () => Promise<BankDriver>,
): void {
  const world = once(async () => ({ bank: await makeBank(), driver: await drive() }));
  describe(`${name} keeps the contract of a bank`, () => {
    test('the connector states its traits', async () => {
      assert.deepEqual((await world()).bank.traits, traits);
    });
    consentTests(world, traits);
    if (traits.returns === 'answer') answerTests(world);
    else readingTests(world);
    if (traits.givesTokens) grantTests(world);
    paymentTests(world, traits);
    refusalTests(world, traits);
    endTests(world);
    if (traits.notifies) notificationTests(world);
    else pollingTests(world);
  });
}

interface World {
  bank: Bank;
  driver: BankDriver;
}
type GetWorld = () => Promise<World>;

function consentTests(world: GetWorld, { namesPayer }: BankTraits): void {
  test('a new consent waits for the customer, and the same request makes no second one', async () => {
    const { bank, driver } = await world();
    const terms = termsFor(driver);
    const first = await bank.createConsent(terms);
    assert.equal(first.status, 'AWAU');
    assert.equal(first.debtor, null);
    const again = await bank.createConsent(terms);
    assert.equal(again.bankConsentId, first.bankConsentId);
    assert.equal(again.initiation, first.initiation);
    assert.equal(again.redirectUrl, first.redirectUrl);
    const read = await bank.readConsent(first.bankConsentId);
    assert.equal(read.status, 'AWAU');
  });

  const account = namesPayer ? 'names the account chosen' : 'names no account';
  test(`a consent that the customer agreed to is live and ${account}`, async () => {
    const { bank, driver } = await world();
    const { bankConsentId } = await agreed(bank, driver, 'ordinary');
    const consent = await bank.readConsent(bankConsentId);
    assert.equal(consent.status, 'AUTH');
    if (!namesPayer) return assert.equal(consent.debtor, null);
    assert.match(consent.debtor?.sortCode ?? '', /^\d{6}$/);
    assert.match(consent.debtor?.accountNumber ?? '', /^\d{8}$/);
  });

  test('the limits that the bank reports are those that were asked for', async () => {
    const { bank, driver } = await world();
    const terms = termsFor(driver);
    const { bankConsentId } = await bank.createConsent(terms);
    const { limits } = await bank.readConsent(bankConsentId);
    const { maximumAmountPence, periodicLimits } = terms.controlParameters;
    if (limits?.maximumAmountPence !== undefined)
      assert.equal(limits.maximumAmountPence, maximumAmountPence);
    if (limits?.periodicLimits !== undefined)
      assert.deepEqual(limits.periodicLimits, periodicLimits);
  });

  test('a consent that the customer refused is denied, and rejected at the bank', async () => {
    const { bank, driver } = await world();
    const request = await begun(bank, driver);
    const fragment = await driver.disagree(await pageOf(bank, request), 'ordinary');
    const complete = bank.completeAuthorisation({ ...request, fragment });
    await assert.rejects(complete, AuthorisationDenied);
    assert.equal((await bank.readConsent(request.bankConsentId)).status, 'RJCT');
  });

  test('a consent that the bank refuses gives no grant, and is rejected', async () => {
    const { bank, driver } = await world();
    const request = await begun(bank, driver);
    const fragment = await driver.agree(await pageOf(bank, request), 'refused_by_bank');
    await assert.rejects(bank.completeAuthorisation({ ...request, fragment }), AuthorisationDenied);
    assert.equal((await bank.readConsent(request.bankConsentId)).status, 'RJCT');
  });
}

function answerTests(world: GetWorld): void {
  test('an answer is good once, for its own consent, state and nonce, and unchanged', async () => {
    const { bank, driver } = await world();
    const request = await begun(bank, driver);
    const fragment = await driver.agree(await pageOf(bank, request), 'ordinary');
    const wrong = [
      { ...request, bankConsentId: 'another', fragment },
      { ...request, state: secret(), fragment },
      { ...request, nonce: secret(), fragment },
      { ...request, fragment: fragment.replace('code=', 'code=x') },
      { ...request, fragment: '' },
    ];
    for (const answer of wrong) {
      await assert.rejects(bank.completeAuthorisation(answer), AuthorisationInvalid);
    }
    await bank.completeAuthorisation({ ...request, fragment });
    await assert.rejects(
      bank.completeAuthorisation({ ...request, fragment }),
      AuthorisationInvalid,
    );
    const other = await begun(bank, driver);
    const swapped = await driver.agree(await pageOf(bank, other), 'ordinary');
    const mixedUp = { ...other, bankConsentId: request.bankConsentId, fragment: swapped };
    await assert.rejects(bank.completeAuthorisation(mixedUp), AuthorisationInvalid);
  });
}

function readingTests(world: GetWorld): void {
  test('nothing that the browser brings back is believed: the consent is read', async () => {
    const { bank, driver } = await world();
    const request = await begun(bank, driver);
    const early = bank.completeAuthorisation({ ...request, fragment: 'code=good' });
    await assert.rejects(early, BankUnavailable);
    await driver.agree(await pageOf(bank, request), 'ordinary');
    const grant = await bank.completeAuthorisation({ ...request, fragment: '' });
    assert.deepEqual(await bank.completeAuthorisation({ ...request, fragment: '' }), grant);
  });
}

function grantTests(world: GetWorld): void {
  test('a grant is kept while it is good, and renewed when it is about to end, or asks for the customer', async () => {
    const { bank, driver } = await world();
    const { bankConsentId, grant } = await agreed(bank, driver, 'ordinary');
    assert.equal(await bank.refresh(grant), grant);
    const ending = { ...grant, expiresAt: Temporal.Now.instant() };
    if (grant.refreshToken === null)
      return assert.rejects(bank.refresh(ending), refusedAs('reauthentication_required'));
    assert.equal(await bank.refresh(ending, async () => false), ending);
    const renewed = await bank.refresh(ending);
    assert.notEqual(renewed, ending);
    assert.equal(await bank.confirmFunds(renewed, bankConsentId, 100), 'available');
    // A bank that replaces the token takes the old one no more.
    if (renewed.refreshToken !== grant.refreshToken)
      await assert.rejects(bank.refresh(ending), refusedAs('reauthentication_required'));
  });

  test('a grant that the bank never gave is not renewed', async () => {
    const { bank } = await world();
    const expiresAt = Temporal.Now.instant();
    const forged: Grant = {
      accessToken: secret(),
      refreshToken: secret(),
      expiresAt,
      boundTo: null,
    };
    await assert.rejects(bank.refresh(forged), refusedAs('reauthentication_required'));
  });
}

function paymentTests(world: GetWorld, { reportsCredit, explainsRefusals }: BankTraits): void {
  const paid = reportsCredit
    ? 'is credited to the creditor'
    : 'is debited: its money tells the rest';
  test(`a payment within the consent ${paid}`, async () => {
    const { bank, driver } = await world();
    const allowed = await agreed(bank, driver, 'ordinary');
    const funds = await bank.confirmFunds(allowed.grant, allowed.bankConsentId, 1000);
    assert.notEqual(funds, 'not_available');
    const sent = await bank.submitPayment(allowed.grant, paymentOf(allowed, 1000));
    assert.notEqual(sent.outcome, 'failed');
    assert.ok(isPaid(bank, await final(bank, sent)));
  });

  test('the same attempt asked again is the same payment', async () => {
    const { bank, driver } = await world();
    const allowed = await agreed(bank, driver, 'ordinary');
    const request = paymentOf(allowed, 1000);
    const reports = [
      await bank.submitPayment(allowed.grant, request),
      await bank.submitPayment(allowed.grant, request),
    ];
    assert.equal(new Set(reports.map((report) => report.bankPaymentId)).size, 1);
    // The period's limit is used only once.
    const second = await bank.submitPayment(allowed.grant, paymentOf(allowed, 1000));
    assert.notEqual(second.bankPaymentId, reports[0]?.bankPaymentId);
  });

  test('a lost answer leaves the outcome open, and asking again finds the payment', async () => {
    const { bank, driver } = await world();
    const allowed = await agreed(bank, driver, 'unanswered');
    const request = paymentOf(allowed, 1000);
    await assert.rejects(bank.submitPayment(allowed.grant, request), BankUnavailable);
    const found = await bank.submitPayment(allowed.grant, request);
    assert.ok(isPaid(bank, await final(bank, found)));
  });

  test('too little money is a known failure that may be tried again', async () => {
    const { bank, driver } = await world();
    const allowed = await agreed(bank, driver, 'penniless');
    const funds = await bank.confirmFunds(allowed.grant, allowed.bankConsentId, 1000);
    assert.notEqual(funds, 'available');
    const report = await final(
      bank,
      await bank.submitPayment(allowed.grant, paymentOf(allowed, 1000)),
    );
    assert.ok(report.outcome === 'failed');
    const codes = explainsRefusals ? ['insufficient_funds'] : ['insufficient_funds', 'rejected'];
    assert.ok(codes.includes(report.error.code), report.error.code);
    assert.equal(report.error.kind, 'retryable');
  });
}

function refusalTests(world: GetWorld, { explainsRefusals, givesTokens }: BankTraits): void {
  test('a payment above the limit of one, or of the period, is refused', async () => {
    const { bank, driver } = await world();
    const allowed = await agreed(bank, driver, 'ordinary');
    const tooMuch = bank.submitPayment(allowed.grant, paymentOf(allowed, 2001));
    await assert.rejects(tooMuch, refusedAs('limit_exceeded'));
    await bank.submitPayment(allowed.grant, paymentOf(allowed, 2000));
    const oneTooMany = bank.submitPayment(allowed.grant, paymentOf(allowed, 1));
    await assert.rejects(oneTooMany, explainsRefusals ? refusedAs('limit_exceeded') : BankRefused);
  });

  if (!givesTokens) return;
  test('the grant of one consent does not pay under another', async () => {
    const { bank, driver } = await world();
    const mine = await agreed(bank, driver, 'ordinary');
    const other = await agreed(bank, driver, 'ordinary');
    const theft = bank.submitPayment(other.grant, paymentOf(mine, 1000));
    // A bank may refuse without a code; then the caller has to find out the outcome.
    await assert.rejects(
      theft,
      (error) => error instanceof BankRefused || error instanceof BankUnavailable,
    );
  });
}

function endTests(world: GetWorld): void {
  test('a consent that we delete is over, also when deleted twice, and pays nothing more', async () => {
    const { bank, driver } = await world();
    const allowed = await agreed(bank, driver, 'ordinary');
    await bank.deleteConsent(allowed.bankConsentId);
    await bank.deleteConsent(allowed.bankConsentId);
    const { status } = await bank.readConsent(allowed.bankConsentId);
    assert.ok(status === 'GONE' || status === 'CANC', status);
    // The token may be gone too: then the funds check reports it, and the payment call has an unknown outcome and asks for a
    // check of the consent.
    const { grant, bankConsentId } = allowed;
    await assert.rejects(
      bank.confirmFunds(grant, bankConsentId, 1000),
      refusedAs('consent_revoked'),
    );
    await assert.rejects(
      bank.submitPayment(grant, paymentOf(allowed, 1000)),
      (error) =>
        refusedAs('consent_revoked')(error) ||
        (error instanceof BankUnavailable && error.asksForConsent),
    );
  });

  test('a payment already made stays readable after its consent is deleted', async () => {
    const { bank, driver } = await world();
    const allowed = await agreed(bank, driver, 'ordinary');
    const sent = await bank.submitPayment(allowed.grant, paymentOf(allowed, 1000));
    await bank.deleteConsent(allowed.bankConsentId);
    assert.ok(isPaid(bank, await final(bank, sent)));
  });

  test('a consent that the customer withdrew at the bank says so, and pays nothing more', async () => {
    const { bank, driver } = await world();
    const allowed = await agreed(bank, driver, 'ordinary');
    await driver.withdraw('ordinary', allowed.bankConsentId);
    assert.equal((await bank.readConsent(allowed.bankConsentId)).status, 'CANC');
    const late = bank.submitPayment(allowed.grant, paymentOf(allowed, 1000));
    await assert.rejects(late, refusedAs('consent_revoked'));
  });
}

function notificationTests(world: GetWorld): void {
  test('the bank tells of a payment that moved, and a changed notification is refused', async () => {
    const { bank, driver } = await world();
    const allowed = await agreed(bank, driver, 'ordinary');
    const sent = await bank.submitPayment(allowed.grant, paymentOf(allowed, 1000));
    const told = await eventually(async () => {
      const all = await Promise.all(
        driver.notifications().map((notice) => bank.verifyNotification(notice)),
      );
      return all.find(({ resources }) =>
        resources.some((r) => r.kind === 'payment' && r.id === sent.bankPaymentId),
      );
    });
    assert.ok(told.jti.length > 0);
    const [genuine] = driver.notifications();
    assert.ok(genuine);
    const middle = Math.floor(genuine.body.length / 2);
    const changed = Buffer.from(genuine.body);
    changed.writeUInt8(changed.readUInt8(middle) === 0x78 ? 0x79 : 0x78, middle);
    for (const body of [changed, Buffer.alloc(0)])
      await assert.rejects(bank.verifyNotification({ ...genuine, body }), NotificationInvalid);
  });
}

function pollingTests(world: GetWorld): void {
  test('no notification is believed, because the bank sends none', async () => {
    const { bank } = await world();
    await assert.rejects(
      bank.verifyNotification({ path: '/', headers: {}, body: Buffer.from('a.b.c') }),
      NotificationInvalid,
    );
  });
}

function refusedAs(code: PaymentErrorCode): (error: unknown) => boolean {
  return (error) => error instanceof BankRefused && error.error.code === code;
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
