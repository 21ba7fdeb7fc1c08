import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { after, test } from 'node:test';
import { DEFAULT_SCHEME } from '../server/src/banks/open-banking/config.ts';
import { openBankingBank } from '../server/src/banks/open-banking/connector.ts';
import { BARCLAYS } from '../server/test-support/published-schemas.ts';
import { problemsOf } from '../server/test-support/sent-messages.ts';
import { startStubBank } from '../server/test-support/stub-bank.ts';

/**
 * What the service sends in a scenario is held against the published contracts (server/test-support/sent-messages.ts); here, that
 * something wrong would be noticed. We may not distribute the contracts: the test is skipped if they are not beside the project.
 */
const skip = existsSync(BARCLAYS) ? false : `put ${BARCLAYS} there to run this`;

const stub = await startStubBank();
after(() => stub.close());

test('a message that a contract refuses is noticed, in its body, its key and its headers', {
  skip,
}, async () => {
  const types = { ...DEFAULT_SCHEME, psuInteractionTypes: null };
  for (const scheme of [DEFAULT_SCHEME, types]) {
    stub.received.length = 0;
    const bank = await openBankingBank({ ...stub.config, scheme });
    const consent = { Data: { ConsentId: 'vrp-1', Status: 'AWAU' } };
    stub.replies.push({ status: 201, body: consent }, { status: 403, body: { Errors: [] } });
    const { initiation } = await bank.createConsent({
      idempotencyKey: 'con_1',
      creditor: { sortCode: '089999', accountNumber: '66374958', name: 'Wallet' },
      ultimateCreditorName: 'Marks & Spencer',
      customerReference: 'cus_1',
      reference: 'B&B: 7/1',
      currency: 'GBP',
      customerIp: '192.0.2.7',
      customerUserAgent: 'u'.repeat(900),
      controlParameters: {
        validFrom: Temporal.Now.instant(),
        validTo: null,
        maximumAmountPence: 500,
        periodicLimits: [{ periodType: 'Month', alignment: 'Consent', amountPence: 500 }],
      },
    });
    const ids = { idempotencyKey: 'pay_1-a1', instructionId: 'pay_1-a1', endToEndId: 'pay_1-a1' };
    const order = {
      ...ids,
      bankConsentId: 'vrp-1',
      initiation,
      amountPence: 500,
      currency: 'GBP' as const,
    };
    const grant = {
      accessToken: 't',
      refreshToken: null,
      expiresAt: Temporal.Now.instant().add({ hours: 1 }),
      boundTo: null,
    };
    await bank.submitPayment(grant, order).catch(() => null);
    await bank.close();
    const sent = stub.received.slice(0, 2).map(({ method, path, headers, body }) => ({
      method,
      path: path.replace('/pisp', ''),
      headers: new Map(Object.entries(headers).map(([name, value]) => [name, String(value)])),
      body,
    }));
    assert.deepEqual(
      sent.map(({ path }) => path),
      ['/domestic-vrp-consents', '/domestic-vrps'],
    );
    for (const message of sent) {
      assert.deepEqual(problemsOf(message), []);
      const { headers, body } = message;
      const broken = [
        { ...message, body: body.replace('Marks and', 'Marks &') },
        { ...message, body: body.replace('"Risk":{', '"Risk":{"Colour":"green",') },
        { ...message, body: body.replace(/"Amount":"[^"]+"/, '"Amount":"5"') },
        { ...message, headers: new Map([...headers, ['x-idempotency-key', 'a/b']]) },
        {
          ...message,
          headers: new Map([
            ...headers,
            ['x-fapi-interaction-id', randomUUID().replace(/-4(?=[0-9a-f]{3}-[89ab])/, '-7')],
          ]),
        },
        {
          ...message,
          headers: new Map([...headers].filter(([name]) => name !== 'x-idempotency-key')),
        },
        { ...message, method: 'GET' },
      ];
      for (const [n, one] of broken.entries()) assert.notDeepEqual(problemsOf(one), [], `${n}`);
    }
  }
});
