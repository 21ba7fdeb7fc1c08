import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { type Bench, START, startBench } from '../sandbox/test-support/bank/bench.ts';
import { connect, type Tpp } from '../sandbox/test-support/bank/tpp.ts';
import { publishedSchemas, SPECS } from '../server/test-support/published-schemas.ts';
import {
  assertAnswer,
  type CaseAnswer,
  Context,
  type PublishedCase,
  publishedCases,
} from './published-cases.ts';

/**
 * Open Banking Limited's cases for VRP 4.0, run against the sandbox bank exactly as published. If they are not beside the project
 * (see published-cases.ts), there is nothing to test.
 */
const cases = publishedCases();
const SPEC = `${SPECS}/vrp-openapi.v4.0.0-Update-4.json`;

/** The tester's settings: whom to pay, how much, and from when to when. */
const SETTINGS = {
  creditorScheme: 'UK.OBIE.SortCodeAccountNumber',
  creditorIdentification: '08999966374958',
  creditorName: 'Fernhill Broadband Ltd',
  instructedAmountValue: '1.00',
  instructedAmountCurrency: 'GBP',
  transactionFromDate: START,
  transactionToDate: '2027-12-01T00:00:00Z',
};

if (cases) {
  describe('Open Banking Limited’s cases for VRP 4.0', () => {
    let bench: Bench;
    let tpp: Tpp;
    const context = new Context(SETTINGS);
    const passed: string[] = [];
    /** The customer's token for the only consent of the cases. */
    let customerToken = '';

    before(async () => {
      bench = await startBench();
      tpp = await connect(bench);
    });
    after(async () => {
      await tpp?.close();
      await bench?.stop();
    });

    for (const one of cases) {
      test(`${one.id}: ${one.description.trim()}`, async () => {
        context.take(one);
        const answer = await ask(tpp, one, context, customerToken);
        assertAnswer(one, answer);
        if (one.schemaCheck) assertSchema(one, answer);
        context.keep(one, answer);
        if (one.parameters.requestConsent === 'true') customerToken = await approve(tpp, answer);
        passed.push(one.id);
      });
    }

    test('every published case passed', () => {
      assert.equal(cases.length, 11);
      assert.deepEqual(
        passed,
        cases.map(({ id }) => id),
      );
    });
  });
}

/** Payments and funds confirmations use the customer's token, everything else the third party's own. */
function ask(
  tpp: Tpp,
  one: PublishedCase,
  context: Context,
  customerToken: string,
): Promise<CaseAnswer> {
  const uri = context.uri(one);
  const body = context.body(one);
  const isCustomers = one.method === 'post' && uri !== '/domestic-vrp-consents';
  // The client verifies the signature of every response with a body, whether a case requires that or not.
  return tpp.call(one.method.toUpperCase() as 'GET' | 'POST' | 'DELETE', uri, {
    ...(body && { body, key: randomUUID() }),
    ...(isCustomers && { token: customerToken }),
  });
}

/** Has the customer approve the consent that was just created. */
async function approve(tpp: Tpp, { body }: CaseAnswer): Promise<string> {
  const { ConsentId } = (body as { Data: { ConsentId: string } }).Data;
  const authorisation = await tpp.authorise(ConsentId, { persona: 'alex' });
  return (await authorisation.tokens()).access_token;
}

const SCHEMAS: [method: string, uri: RegExp, schema: string][] = [
  ['post', /^\/domestic-vrp-consents$/, 'OBDomesticVRPConsentResponse'],
  ['get', /^\/domestic-vrp-consents\/[^/]+$/, 'OBDomesticVRPConsentResponse'],
  ['post', /\/funds-confirmation$/, 'OBVRPFundsConfirmationResponse'],
  ['post', /^\/domestic-vrps$/, 'OBDomesticVRPResponse'],
  ['get', /^\/domestic-vrps\/[^/]+$/, 'OBDomesticVRPResponse'],
  ['get', /\/payment-details$/, 'OBDomesticVRPDetails'],
];

let schemas: ReturnType<typeof publishedSchemas> | undefined;

/** Validates a response's body against the published description, if that is there too. */
function assertSchema({ method, uri }: PublishedCase, { status, body }: CaseAnswer): void {
  if (status === 204) {
    assert.equal(body, null);
    return;
  }
  if (!existsSync(SPEC)) return;
  const found = SCHEMAS.find(([verb, pattern]) => verb === method && pattern.test(uri));
  const schema = status >= 400 ? 'OBErrorResponse1' : found?.[2];
  assert.ok(schema, `no schema is known for ${method} ${uri}`);
  schemas ??= publishedSchemas(SPEC);
  const validate = schemas(schema);
  assert.ok(validate(body), `${schema}: ${JSON.stringify(validate.errors)}`);
}
