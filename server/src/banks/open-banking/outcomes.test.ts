import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { BankConsentStatus } from '../bank.ts';
import { consentError, paymentOutcome, paymentReport } from '../status-codes.ts';
import {
  answerClass,
  consentStatus,
  needsConsentCheck,
  refusalError,
  reportsMissing,
  unexplainedError,
} from './outcomes.ts';

const words = (text: string): string[] => text.split(' ');

/** Every code of the tables, with its expected meaning: `code kind` → bank codes. */
const REASONS: Record<string, string> = {
  'insufficient_funds retryable': 'AM04',
  'account_closed final': 'AC04 AC05',
  'invalid_account final': 'AC01 AC02 U021 U022',
  'blocked final': 'AC06 AM07 FR01',
  'bank_limit retryable': 'AM14 AM21',
  'bank_limit final': 'AM02 AM13 AM23',
  'limit_exceeded final': 'U014',
  'consent_revoked consent_gone': 'MD01 U009 U011',
  'consent_expired consent_gone': 'TKXP',
  'reauthentication_required retryable': 'TKSP U028',
  'creditor_account_unavailable final': 'AC03 AC07 1100 1161 1162 1163 1165 1166 1177 1178 1180',
  'duplicate final': 'AM05 DUPL',
  'technical retryable':
    'AB01 AB02 AB03 AB04 AB05 AB06 AB07 AB08 AB09 AB10 AB11 ED05 ED06 FF10 MS03 TM01 U012 1181',
  'rejected final': 'AG01 AG03 MD07 CUST DS02 DS04 U033 U036 U037 U041 U023 U024 U025 U026 U027',
  'rejected retryable': 'MS02 NARR U042 ZZZZ',
};

test('every reason code means what the tables of the standard say', () => {
  for (const [meaning, codes] of Object.entries(REASONS)) {
    for (const bankCode of words(codes)) {
      const outcome = paymentOutcome('RJCT', [bankCode]);
      assert.equal(outcome.outcome, 'failed', bankCode);
      if (outcome.outcome !== 'failed') continue;
      assert.equal(`${outcome.error.code} ${outcome.error.kind}`, meaning, bankCode);
      assert.equal(outcome.error.bankCode, bankCode);
      assert.match(outcome.error.message, /^[A-Z].*\.$/);
      assert.deepEqual(refusalError([bankCode]), outcome.error);
    }
  }
});

test('money that has left the customer but not arrived is pending; only ACCC is credited', () => {
  for (const status of words('RCVD PDNG ACTC ACCP ACFC ACSP ACWC ACSC ACWP PATC NEWX')) {
    assert.deepEqual(paymentOutcome(status, []), { outcome: 'pending' }, status);
  }
  assert.deepEqual(paymentReport('p', 'ACCC', []), {
    bankPaymentId: 'p',
    bankStatus: 'ACCC',
    outcome: 'credited',
  });
});

test('a blocked payment is final whatever the reason beside it', () => {
  const outcome = paymentOutcome('BLCK', ['AM04']);
  assert.equal(outcome.outcome === 'failed' && outcome.error.kind, 'final');
  assert.equal(outcome.outcome === 'failed' && outcome.error.code, 'blocked');
});

test('a rejection without a reason is a failure that may be tried again', () => {
  const outcome = paymentOutcome('RJCT', []);
  assert.equal(outcome.outcome === 'failed' && outcome.error.kind, 'retryable');
});

test('of several reasons the known one that leaves least hope decides', () => {
  assert.equal(refusalError(['NARR', 'AM04']).code, 'insufficient_funds');
  assert.equal(refusalError(['AM04', 'AC04']).code, 'account_closed');
  assert.equal(refusalError(['AC04', 'U028', 'AM04']).code, 'account_closed');
  assert.equal(refusalError(['AC04', 'TKXP', 'AM04']).code, 'consent_expired');
});

test('answers after which a payment may exist are never called a failure', () => {
  const unknown: [number, string[]][] = [
    [500, []],
    [502, ['U002']],
    [503, []],
    [504, ['U014']],
    [400, ['U000']],
    [400, ['U013']],
    [400, ['U029']],
    [409, ['U029']],
    [409, []],
    [422, []],
    [408, []],
    [425, []],
    [429, []],
    [302, []],
    [202, []],
  ];
  for (const [status, codes] of unknown) {
    assert.equal(answerClass(status, codes), 'outcome_unknown', `${status} ${codes}`);
  }
});

test('a documented code of ours is a defect, and a documented no is a refusal', () => {
  const defects = 'U001 U002 U003 U004 U005 U006 U007 U008 U010 U015 U016 U017 U018 U019 U020';
  for (const code of words(defects)) assert.equal(answerClass(400, [code]), 'defect', code);
  for (const code of words('U009 U011 U014 U021 U027')) {
    assert.equal(answerClass(400, [code]), 'refused', code);
  }
  assert.equal(answerClass(422, ['U014']), 'refused');
});

test('no answer, however odd, breaks the classification or passes for less than it is', () => {
  const code = fc.oneof(
    fc.constantFrom('U000', 'U014', 'AM04', 'U015'),
    fc.string({ maxLength: 4 }),
  );
  fc.assert(
    fc.property(fc.integer({ min: 100, max: 599 }), fc.array(code), (status, codes) => {
      const kind = answerClass(status, codes);
      if (status >= 500 || codes.includes('U000')) assert.equal(kind, 'outcome_unknown');
      if (kind === 'refused') assert.ok(codes.some((code) => ['U014', 'AM04'].includes(code)));
      assert.ok(refusalError(codes).message.length > 0);
    }),
  );
});

test('an HTTP error without a documented code explains nothing, whatever its status', () => {
  for (const status of [400, 401, 403, 404, 405, 406, 413, 415, 451])
    for (const codes of [[], ['ZZZZ'], ['gateway']])
      assert.equal(answerClass(status, codes), 'unexplained', `${status} ${codes}`);
  assert.equal(unexplainedError(403).kind, 'retryable');
  assert.equal(unexplainedError(403).code, 'technical');
});

test('a consent is not there only by a documented code or a signed answer', () => {
  const says = (httpStatus: number, codes: string[], isSigned: boolean): boolean =>
    reportsMissing({ httpStatus, codes, isSigned });
  assert.equal(says(400, ['U011'], false), true);
  assert.equal(says(400, ['MD01'], false), true);
  assert.equal(says(400, [], true), true);
  assert.equal(says(404, [], true), true);
  for (const status of [400, 401, 403, 404, 410]) assert.equal(says(status, [], false), false);
  assert.equal(says(403, [], true), false);
  assert.equal(says(400, ['ZZZZ'], true), false);
  assert.equal(says(400, ['U009'], true), false);
});

test('the consent is asked only when the refusal does not say enough', () => {
  assert.equal(needsConsentCheck(401, []), true);
  assert.equal(needsConsentCheck(400, ['U009']), true);
  assert.equal(needsConsentCheck(400, ['U011']), true);
  assert.equal(needsConsentCheck(401, ['TKXP']), false);
  assert.equal(needsConsentCheck(401, ['TKSP']), false);
  assert.equal(needsConsentCheck(403, ['U028']), false);
  assert.equal(needsConsentCheck(400, ['U014']), false);
});

test('each consent status says whether and why nothing can be collected', () => {
  const code = (status: BankConsentStatus, reason: string | null = null): string | undefined =>
    consentError({ status, reason })?.code;
  assert.equal(code('AUTH'), undefined);
  assert.equal(code('AWAU'), undefined);
  assert.equal(code('EXPD', 'TKXP'), 'consent_expired');
  assert.equal(code('CANC'), 'consent_revoked');
  assert.equal(code('SUSP', 'TKSP'), 'reauthentication_required');
  assert.equal(code('RJCT'), 'consent_revoked');
  assert.equal(consentError({ status: 'SUSP', reason: 'TKSP' })?.kind, 'retryable');
  assert.equal(code('GONE'), 'consent_revoked');
});

test('a consent that only lacks the customer’s authentication is suspended, and not over', () => {
  for (const reason of ['TKSP', 'U028']) assert.equal(consentStatus('CANC', reason), 'SUSP');
  assert.equal(consentStatus('CANC', 'MD01'), 'CANC');
  assert.equal(consentStatus('CANC', null), 'CANC');
  assert.equal(consentStatus('AUTH', null), 'AUTH');
});
