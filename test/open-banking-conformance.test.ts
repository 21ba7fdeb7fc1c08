import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import type { ValidateFunction } from 'ajv/dist/2019.js';
import { BankRefused, type Grant } from '../server/src/banks/bank.ts';
import type { BankDriver } from '../server/src/banks/bank-journey.ts';
import {
  type OpenBankingBank,
  openBankingBank,
} from '../server/src/banks/open-banking/connector.ts';
import { PURPOSES } from '../server/src/merchants/terms/scheme.ts';
import {
  publishedSchemas,
  SPECS,
  strictSchemas,
} from '../server/test-support/published-schemas.ts';
import { type Exchange, recordExchanges } from '../server/test-support/recorder.ts';
import { type SandboxBank, startSandboxBank } from '../server/test-support/sandbox-bank.ts';
import { sandboxDriver } from '../server/test-support/sandbox-customer.ts';

/**
 * Validates what we send to a bank, and the sandbox bank's responses, against the published OpenAPI description of commercial
 * VRP. We may not distribute the description: the test is skipped if it is not beside the project.
 */
const SPEC = `${SPECS}/cvrp-openapi.v4.0.0.json`;
const skip = existsSync(SPEC)
  ? false
  : 'put cvrp-openapi.v4.0.0.json into the folder named by OPEN_BANKING_SPECS to run this';

/** The schemas of the two bodies of each kind of call. */
const SCHEMAS: [method: string, path: RegExp, sent: string | null, answered: string][] = [
  [
    'POST',
    /\/funds-confirmation$/,
    'OBVRPFundsConfirmationRequest',
    'OBVRPFundsConfirmationResponse',
  ],
  [
    'POST',
    /\/domestic-vrp-consents$/,
    'OBDomesticVRPConsentRequest',
    'OBDomesticVRPConsentResponse',
  ],
  ['GET', /\/domestic-vrp-consents\/[^/]+$/, null, 'OBDomesticVRPConsentResponse'],
  ['POST', /\/domestic-vrps$/, 'OBDomesticVRPRequest', 'OBDomesticVRPResponse'],
  ['GET', /\/domestic-vrps\/[^/]+$/, null, 'OBDomesticVRPResponse'],
];

describe('the bodies exchanged with a bank conform to the published description', { skip }, () => {
  let sandbox: SandboxBank;
  let bank: OpenBankingBank;
  let driver: BankDriver;
  let exchanges: Exchange[];

  before(async () => {
    sandbox = await startSandboxBank();
    bank = await openBankingBank(sandbox.config('northbank'));
    driver = sandboxDriver(sandbox, 'northbank');
    const recorder = recordExchanges('/open-banking/');
    await collectOnce(bank, driver, 'ordinary');
    await collectOnce(bank, driver, 'penniless');
    exchanges = recorder.stop();
  });
  after(async () => {
    await bank?.close();
    await sandbox?.close();
  });

  test('every kind of call was made, with refusals among them', () => {
    for (const [method, path] of SCHEMAS) {
      assert.ok(
        exchanges.some((e) => e.method === method && path.test(e.path)),
        `${path}`,
      );
    }
    assert.ok(exchanges.some((e) => e.status === 400));
  });

  test('a body that lacks what the description demands would be noticed', () => {
    const sent = exchanges.find((e) => e.method === 'POST' && e.path.endsWith('/domestic-vrps'));
    const request = JSON.parse(sent?.sent ?? '{}');
    const validate = validator('OBDomesticVRPRequest');
    assert.equal(validate(request), true);
    assert.equal(validate({ ...request, Data: { ...request.Data, VRPType: 'Sweeping' } }), false);
    delete request.Data.Instruction.CreditorAccount.Name;
    assert.equal(validate(request), false);
  });

  test('every purpose of a merchant is a published one', () => {
    const validate = validator('OBExternalPurpose1Code');
    assert.equal(validate('XXXX'), false);
    for (const purpose of PURPOSES) assert.ok(validate(purpose), purpose);
  });

  test('what we send', () => {
    for (const exchange of exchanges) {
      const [, , sent] = schemasOf(exchange) ?? [];
      if (sent) assertValid(sent, exchange.sent, exchange);
    }
  });

  test('what the sandbox bank answers, errors included', () => {
    for (const exchange of exchanges.filter((e) => e.answered !== '')) {
      const [, , , answered] = schemasOf(exchange) ?? [];
      const schema = exchange.status >= 400 ? 'OBErrorResponse1' : answered;
      if (schema) assertValid(schema, exchange.answered, exchange);
    }
  });
});

/** Makes each of our calls to a bank once, including one refused payment. */
async function collectOnce(
  bank: OpenBankingBank,
  driver: BankDriver,
  customer: 'ordinary' | 'penniless',
  name = 'Fernhill Broadband Ltd',
): Promise<void> {
  const { bankConsentId, initiation, grant } = await consentOf(bank, driver, customer, name);
  const payment = (amountPence: number) => {
    const id = crypto.randomUUID().slice(0, 30);
    const ids = { idempotencyKey: id, instructionId: id, endToEndId: id };
    return { ...ids, bankConsentId, initiation, amountPence, currency: 'GBP' as const };
  };
  await bank.confirmFunds(grant, bankConsentId, 4999);
  const report = await bank.submitPayment(grant, payment(4999));
  await bank.readPayment(report.bankPaymentId);
  await assert.rejects(bank.submitPayment(grant, payment(5000)), BankRefused);
  await bank.deleteConsent(bankConsentId);
  await bank.readConsent(bankConsentId);
}

/**
 * Validates what we send to a bank against the contract of one that takes less than the standard allows: closed objects, and few
 * characters in each text. Its consents have ids of their own, which the sandbox bank's are replaced by.
 */
const STRICT = `${SPECS}/banks/barclays-vrp-v4.0.json`;
const SENT_AT_STRICT: [path: RegExp, schema: string][] = [
  [/\/funds-confirmation$/, 'FundsRequest'],
  [/\/domestic-vrp-consents$/, 'ConsentRequest'],
  [/\/domestic-vrps$/, 'PaymentRequest'],
];
const NAMES = [
  'Marks & Spencer',
  'Dŵr Cymru',
  'Café “Zoë” — O’Hara: Söhne',
  `${'&'.repeat(9)} 🎾 Tennis`,
];

describe('the strictest bank', () => {
  const skip = existsSync(STRICT) ? false : `put ${STRICT} there to run this`;
  test('what we send is what it takes, whatever a merchant is called', { skip }, async () => {
    const validator = strictSchemas(STRICT);
    const sandbox = await startSandboxBank();
    const vrpType = 'UK.OBIE.VRPType.Sweeping'; // commercial ones are not in its contract
    const bank = await openBankingBank({ ...sandbox.config('northbank'), vrpType });
    try {
      const recorder = recordExchanges('/open-banking/');
      for (const name of NAMES)
        await collectOnce(bank, sandboxDriver(sandbox, 'northbank'), 'ordinary', name);
      const sent = recorder.stop().filter(({ method }) => method === 'POST');
      for (const { path, sent: body } of sent) {
        const [, schema = ''] = SENT_AT_STRICT.find(([ending]) => ending.test(path)) ?? [];
        const validate = validator(schema);
        const asThere = body.replaceAll(
          /"ConsentId":"[^"]+"/g,
          '"ConsentId":"BARCLAYS-S-00000000000001"',
        );
        assert.ok(
          validate(JSON.parse(asThere)),
          `${path}: ${JSON.stringify(validate.errors)}\n${body}`,
        );
      }
      assert.equal(sent.length, 4 * NAMES.length);
      assert.equal(
        validator('ConsentRequest')(JSON.parse(sent[0]?.sent.replaceAll(' and ', ' & ') ?? '')),
        false,
      );
    } finally {
      await bank.close();
      await sandbox.close();
    }
  });
});

async function consentOf(
  bank: OpenBankingBank,
  driver: BankDriver,
  customer: 'ordinary' | 'penniless',
  name: string,
): Promise<{ bankConsentId: string; initiation: string; grant: Grant }> {
  const now = Temporal.Now.instant();
  const { bankConsentId, initiation } = await bank.createConsent({
    idempotencyKey: crypto.randomUUID(),
    creditor: { ...driver.creditor, name },
    ultimateCreditorName: name,
    customerReference: 'cus_1',
    reference: "B&B O'Hara: 7/1",
    merchant: { categoryCode: '4899', paymentContext: 'billing_in_advance', purposeCode: 'UBIL' },
    currency: 'GBP',
    customerIp: '192.0.2.7',
    customerUserAgent: 'test',
    controlParameters: {
      validFrom: now.add({ seconds: 5 }),
      validTo: now.add({ hours: 24 * 200 }),
      maximumAmountPence: 4999,
      periodicLimits: [
        { periodType: 'Month', alignment: 'Consent', amountPence: 4999 },
        // Only the remaining days of the current year count: one must be enough.
        { periodType: 'Year', alignment: 'Calendar', amountPence: 4999 * 366 },
      ],
    },
  });
  const journey = {
    bankConsentId,
    state: crypto.randomUUID(),
    nonce: crypto.randomUUID(),
    redirectUri: driver.redirectUri,
  };
  const fragment = await driver.agree(await bank.authorisationUrl(journey), customer);
  const grant = await bank.completeAuthorisation({ ...journey, fragment });
  await bank.readConsent(bankConsentId);
  return { bankConsentId, initiation, grant };
}

function schemasOf(exchange: Exchange): (typeof SCHEMAS)[number] | undefined {
  return SCHEMAS.find(([method, path]) => method === exchange.method && path.test(exchange.path));
}

let schemas: ReturnType<typeof publishedSchemas> | undefined;

function validator(name: string): ValidateFunction {
  schemas ??= publishedSchemas(SPEC);
  return schemas(name);
}

function assertValid(schema: string, body: string, exchange: Exchange): void {
  const validate = validator(schema);
  const what = `${exchange.method} ${exchange.path} ${exchange.status}: ${schema}`;
  assert.ok(validate(JSON.parse(body)), `${what}: ${JSON.stringify(validate.errors)}\n${body}`);
}
