import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BankUnavailable } from '../../server/src/banks/bank.ts';
import { openGrant } from '../../server/src/consents/grant.ts';
import { openStage } from '../../server/src/payments/stages/open.ts';
import { makeSender, submitStage } from '../../server/src/payments/stages/submit.ts';
import { assertLaws, onlyPaymentOf } from '../../server/test-support/books.ts';
import { NO_SENDER } from '../../server/test-support/no-sender.ts';
import { oneForEach } from '../../server/test-support/opened.ts';
import { allDue, breakRows, mendRows } from './acts.ts';

const { h, runFor } = oneForEach();

const MANY = 60;
/**
 * Transactions to claim, to mark as sent, to record, and to store the renewed tokens in a few parts; one for each token would be
 * more than `MANY`.
 */
const FEW = 20;

test('the tokens of a batch are renewed once each, and stored many together before they are used', async () => {
  const ids = await allDue(h, MANY);
  const expiresAt = Temporal.Now.instant().add({ hours: 1000 });
  let renewals = 0;
  h.bank.refresh = async (grant) => {
    renewals += 1;
    return { ...grant, accessToken: `renewed-${renewals}`, expiresAt };
  };
  const { confirmFunds } = h.bank;
  const used = new Set<string>();
  h.bank.confirmFunds = async (grant, ...question) => {
    used.add(grant.accessToken);
    const stored = await storedTokens();
    assert.ok(stored.has(grant.accessToken), 'used before it was stored');
    return confirmFunds.call(h.bank, grant, ...question);
  };
  await openStage(h.platform, NO_SENDER).run(h.clock.at, 500);
  let transactions = 0;
  const transaction: typeof h.db.transaction = (...asked) => {
    transactions += 1;
    return h.db.transaction(...asked);
  };
  const { banks, issuer, hooks } = h.service.authorisation;
  const platform = { ...h.platform, db: { ...h.db, transaction } };
  const stage = submitStage(platform, makeSender({ platform, banks, issuer, consentHooks: hooks }));
  assert.equal(await stage.run(h.clock.at, 250), MANY);
  await stage.idle?.();
  assert.equal(renewals, MANY);
  assert.equal(used.size, MANY);
  assert.ok(transactions <= FEW, `${transactions} transactions`);
  await runFor({ minutes: 5 });
  for (const id of ids) assert.equal((await onlyPaymentOf(h, id)).status, 'success');
  await assertLaws(h);
});

test('a renewed token that cannot be stored holds up no other', async () => {
  const good = await allDue(h, 4);
  const bad = good.pop() ?? ''; // not the first, which is stored alone
  let renewals = 0;
  h.bank.refresh = async (grant) => {
    renewals += 1;
    return { ...grant, accessToken: `renewed-${renewals}` };
  };
  const row = await h.db.read((tx) =>
    tx.row<{ consentId: string; bankGrant: string }>(
      'SELECT consent_id, bank_grant FROM bank_grants JOIN consents USING (merchant_id, consent_id) WHERE schedule_id = $1',
      [bad],
    ),
  );
  const { consentId, bankGrant } = row ?? {};
  await breakRows(h, 'bank_grants', `consent_id = '${consentId}' AND bank_grant <> '${bankGrant}'`);
  await runFor({ seconds: 0 });
  for (const id of good) assert.equal((await onlyPaymentOf(h, id)).status, 'success');
  assert.notEqual((await onlyPaymentOf(h, bad)).status, 'success');
  await mendRows(h, 'bank_grants');
  await runFor({ hours: 3 });
  assert.equal((await onlyPaymentOf(h, bad)).status, 'success');
  await assertLaws(h);
});

test('a renewed token is stored beside its consent, whose row is not written', async () => {
  const [id = ''] = await allDue(h, 1);
  let renewals = 0;
  h.bank.refresh = async (grant) => {
    renewals += 1;
    return { ...grant, accessToken: `renewed-${renewals}` };
  };
  const version = () =>
    h.db.read((tx) =>
      tx.row<{ consent: string; bankGrant: string }>(
        `SELECT c.xmin::text AS consent, bank_grant FROM consents c JOIN bank_grants USING (merchant_id, consent_id)
         WHERE schedule_id = $1`,
        [id],
      ),
    );
  const before = await version();
  await runFor({ minutes: 1 });
  assert.equal((await onlyPaymentOf(h, id)).status, 'success');
  const after = await version();
  assert.ok(renewals > 0);
  assert.notEqual(after?.bankGrant, before?.bankGrant);
  assert.equal(after?.consent, before?.consent);
});

async function storedTokens(): Promise<Set<string>> {
  const rows = await h.db.read((tx) =>
    tx.rows<{ consentId: string; bankGrant: string; merchantId: string }>(
      `SELECT merchant_id, consent_id, bank_grant FROM bank_grants JOIN consents USING (merchant_id, consent_id)
       WHERE status = 'granted'`,
    ),
  );
  return new Set(
    rows
      .map((row) => openGrant(h.platform, row.merchantId, row.consentId, row.bankGrant))
      .map(({ accessToken }) => accessToken),
  );
}

test('the grant of a journey that came to nothing is deleted when the customer goes again or the terms change', async () => {
  const { id, consent_url } = await h.create();
  const grants = async (): Promise<number> => {
    const row = await h.db.read((tx) =>
      tx.row<{ n: number }>(
        'SELECT count(*) AS n FROM bank_grants JOIN consents USING (merchant_id, consent_id) WHERE schedule_id = $1',
        [id],
      ),
    );
    return row?.n ?? 0;
  };
  /** Comes back from the bank, which issues a grant and is down when the consent is read. */
  const comeBackTo = async (state: string | null): Promise<void> => {
    h.bank.before = async (call) => {
      if (call === 'readConsent') throw new BankUnavailable('the bank is down');
    };
    await assert.rejects(h.complete(state), BankUnavailable);
    h.bank.before = null;
    assert.equal(await grants(), 1);
  };
  await comeBackTo(await h.begin(consent_url));
  const again = await h.begin(consent_url);
  assert.equal(await grants(), 0, 'the customer went to the bank again');
  await comeBackTo(again);
  await h.update(id, { amount: { value: 2000, currency: 'GBP' } });
  assert.equal(await grants(), 0, 'the terms were changed');
  assert.equal(await h.decide(consent_url), 'granted');
});
