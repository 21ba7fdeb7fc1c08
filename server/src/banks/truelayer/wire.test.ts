import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import {
  noTrueLayerFacts,
  readFact,
  TRUELAYER_FACTS,
} from '../../../test-support/truelayer/document.ts';
import { problemIn } from './problems.ts';
import { readProviders } from './providers.ts';
import { consentStatusOf, MANDATE_STATUSES, PAYMENT_STATUSES, reportOf } from './statuses.ts';
import {
  limitsOf,
  payerOf,
  periodsBody,
  readFlow,
  readFunds,
  readMadeMandate,
  readMadePayment,
  readMandateBody,
  readPaymentBody,
  userIdOf,
} from './wire.ts';

const now = Temporal.Instant.from('2022-06-01T00:00:00Z');
const skip = noTrueLayerFacts;
const recorded = (path: string): unknown => JSON.parse(readFact(`recorded/${path}.json`));

test('every period is written as TrueLayer has it, in pence, and read back', () => {
  const limits = (['Day', 'Week', 'Fortnight', 'Month', 'Half-year', 'Year'] as const).map(
    (periodType, n) => ({
      periodType,
      alignment: n % 2 === 0 ? ('Consent' as const) : ('Calendar' as const),
      amountPence: 100 + n,
    }),
  );
  const periodic_limits = periodsBody(limits);
  assert.deepEqual(periodic_limits.half_year, { maximum_amount: 104, period_alignment: 'consent' });
  const constraints = { maximum_individual_amount: 5, periodic_limits };
  const mandate = readMandateBody({ status: 'authorized', currency: 'GBP', constraints });
  assert.deepEqual(limitsOf(mandate), { maximumAmountPence: 5, periodicLimits: limits });
});

test('limits that cannot be read are no limits', () => {
  const mandate = (changes: object, currency = 'GBP') =>
    readMandateBody({
      status: 'authorized',
      currency,
      constraints: { maximum_individual_amount: 5, ...changes },
    });
  const limit = { maximum_amount: 1, period_alignment: 'consent' };
  assert.throws(() => limitsOf(mandate({ periodic_limits: { quarter: limit } })), RangeError);
  assert.throws(
    () => limitsOf(mandate({ periodic_limits: { day: { ...limit, period_alignment: 'x' } } })),
    RangeError,
  );
  assert.throws(() => limitsOf(mandate({}, 'EUR')), RangeError);
  for (const amount of [1.5, '5', -1, 2 ** 53])
    assert.throws(() => mandate({ maximum_individual_amount: amount }));
});

test('an account that pays is named by its numbers or its IBAN, or not at all', () => {
  const payer = (account_identifier: object) =>
    payerOf(
      readMandateBody({
        status: 'authorized',
        currency: 'GBP',
        constraints: {},
        remitter: { account_holder_name: 'Ada', account_identifier },
      }),
    );
  const numbers = { sortCode: '040662', accountNumber: '00002723', name: 'Ada' };
  assert.deepEqual(payer({ type: 'iban', iban: 'GB53CLRB04066200002723' }), numbers);
  const plain = { sort_code: '040662', account_number: '00002723' };
  assert.deepEqual(payer({ type: 'sort_code_account_number', ...plain }), numbers);
  assert.equal(payer({ type: 'iban', iban: 'IT60X0542811101000000123456' }), null);
  assert.equal(payer({ type: 'nrb' }), null);
});

test('a customer has the same UUID in every mandate, and another than every other customer', () => {
  assert.equal(userIdOf('cus_1'), userIdOf('cus_1'));
  assert.notEqual(userIdOf('cus_1'), userIdOf('cus_2'));
  assert.match(
    userIdOf('cus_1'),
    /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/,
  );
});

test('a refusal is proven by TrueLayer’s own error with its status alone', () => {
  const error = (status: number, title: string, more: object = {}) =>
    JSON.stringify({ title, status, detail: 'd', trace_id: 't', ...more });
  const proves = (status: number, body: string) => problemIn(status, body)?.proves ?? null;
  assert.equal(proves(400, error(400, 'Invalid State')), 'refused');
  assert.equal(proves(404, error(404, 'Not Found')), 'refused');
  assert.equal(proves(401, error(401, 'Unauthenticated')), 'nothing');
  const unsigned = error(401, 'Unauthenticated', { detail: 'Invalid request signature.' });
  assert.equal(proves(401, unsigned), 'unsigned');
  for (const [status, title] of [
    [400, 'Bad Request'],
    [403, 'Forbidden'],
    [409, 'Idempotency-Key Concurrency Conflict'],
    [422, 'Idempotency-Key Reuse'],
    [429, 'Rate Limit Exceeded'],
    [500, 'Unknown Error'],
    [502, 'Not Found'],
  ] as const)
    assert.equal(proves(status, error(status, title)), 'nothing', title);
  for (const body of ['', '<html>', 'null', '[]', '"x"', '{"status":404}', error(400, 'Not Found')])
    assert.equal(proves(404, body), null, body);
});

test('what an error says of a field may be the customer’s, and is not repeated', () => {
  const errors = { 'user.email': ['ada@example.com is not valid'] };
  const body = { title: 'Invalid Parameters', status: 400, detail: '', trace_id: 't', errors };
  assert.deepEqual(problemIn(400, JSON.stringify(body))?.fields, ['user.email']);
});

test('the recorded mandates are read, each with its status', { skip }, () => {
  for (const status of Object.keys(MANDATE_STATUSES)) {
    const mandate = readMandateBody(recorded(`mandates/200.get_mandate_by_id.${status}`));
    assert.equal(mandate.status, status);
    const { validTo, periodicLimits } = limitsOf(mandate);
    assert.equal(periodicLimits?.length, 2);
    assert.ok(consentStatusOf(status, validTo?.add({ hours: 24 * 365 }), now) !== null);
  }
  const commercial = readMandateBody(recorded('mandates/200.get_commercial_mandate_by_id'));
  assert.equal(payerOf(commercial)?.accountNumber, '00002723');
  assert.equal(readMadeMandate(recorded('mandates/201.create_mandate')).id.length, 36);
  assert.equal(readFunds(recorded('mandates/200.get_confirmation_of_funds')).confirmed, true);
});

test('the recorded next steps are read', { skip }, () => {
  const folder = `${TRUELAYER_FACTS}/recorded/mandates`;
  const flows = readdirSync(folder).filter((name) => name.includes('authorization_flow'));
  const steps = flows.map((name) => {
    const flow = readFlow(JSON.parse(readFact(`recorded/mandates/${name}`)));
    return flow.authorization_flow?.actions?.next.type;
  });
  assert.deepEqual(steps.toSorted(), ['provider_selection', 'redirect', 'wait']);
});

test('the recorded payments are read, each with its status', { skip }, () => {
  const outcomes = (kind: string) => {
    const made = readMadePayment(recorded(`payments/201.create_payment.${kind}`));
    return reportOf(made.id, made.status, made.failure_reason).outcome;
  };
  const kinds = ['authorization_required', 'authorized', 'failed'];
  assert.deepEqual(kinds.map(outcomes), ['pending', 'pending', 'failed']);
  const read = (name: string) => {
    const payment = readPaymentBody(recorded(`payments/200.get_payment_by_id.mandate.${name}`));
    return reportOf(payment.id, payment.status, payment.failure_reason);
  };
  assert.equal(read('executed').bankStatus, 'ACSC');
  const failed = read('failed');
  assert.ok(failed.outcome === 'failed' && failed.error.bankCode === 'failed');
  const statuses = readdirSync(`${TRUELAYER_FACTS}/recorded/payments`).flatMap(
    (name) => /get_payment_by_id\.bank_transfer\.(\w+)\.json/.exec(name)?.[1] ?? [],
  );
  assert.deepEqual(Object.keys(PAYMENT_STATUSES).sort(), statuses.sort());
});

test('the recorded lists of banks are read', { skip }, () => {
  const search = readProviders(recorded('payments_providers/200.search_payments_providers'));
  assert.equal(search.length, 2);
  const one = recorded('payments_providers/200.get_payments_provider');
  const [hsbc] = readProviders({ items: [one] });
  assert.ok(hsbc?.capabilities.mandates?.vrp_commercial?.use_cases?.includes('government'));
});

test('the recorded errors prove what they say', { skip }, () => {
  const proves = (status: number, path: string) =>
    problemIn(status, readFact(`recorded/${path}.json`))?.proves;
  assert.equal(proves(400, 'payments/400.request_invalid'), 'refused');
  assert.equal(proves(401, 'payments/401.invalid_signature'), 'unsigned');
  assert.equal(proves(401, 'payments/401.invalid_token'), 'nothing');
  assert.equal(proves(404, 'payments/404.payment_not_found'), 'refused');
  assert.equal(proves(422, 'mandates/422.create_mandate.idempotency_key_reuse'), 'nothing');
});
