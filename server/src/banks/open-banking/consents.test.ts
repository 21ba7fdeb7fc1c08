import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startStubBank } from '../../../test-support/stub-bank.ts';
import type { MerchantFacts } from '../bank.ts';
import { termsFor } from '../bank-journey.ts';
import { openBankingBank } from './connector.ts';

const stub = await startStubBank();
const bank = await openBankingBank(stub.config);
after(async () => {
  await bank.close();
  await stub.close();
});

const UNSAID = {
  PaymentContextCode: 'EcommerceMerchantInitiatedPayment',
  ContractPresentIndicator: true,
};

/** Returns the risk of a consent for such a merchant, as the bank gets it. */
async function riskOf(merchant?: MerchantFacts): Promise<object> {
  const { merchant: _, ...terms } = termsFor({
    creditor: { sortCode: '089999', accountNumber: '66374958', name: 'Wallet' },
  });
  stub.received.length = 0;
  stub.replies.push({ status: 201, body: { Data: { ConsentId: 'vrp-1', Status: 'AWAU' } } });
  await bank.createConsent({ ...terms, ...(merchant && { merchant }) });
  return JSON.parse(stub.received[0]?.body ?? '{}').Risk;
}

test('what the scheme knows of a merchant stands in the risk of a consent', async () => {
  const said = { categoryCode: '4899', purposeCode: 'UBIL' };
  const contexts = [
    ['merchant_initiated', 'EcommerceMerchantInitiatedPayment'],
    ['billing_in_advance', 'BillingGoodsAndServicesInAdvance'],
    ['billing_in_arrears', 'BillingGoodsAndServicesInArrears'],
  ] as const;
  for (const [paymentContext, PaymentContextCode] of contexts)
    assert.deepEqual(await riskOf({ ...said, paymentContext }), {
      PaymentContextCode,
      MerchantCategoryCode: '4899',
      PaymentPurposeCode: 'UBIL',
      ContractPresentIndicator: true,
    });
});

test('what nobody said of a merchant is left out', async () => {
  const nothing = { categoryCode: null, purposeCode: null } as const;
  assert.deepEqual(await riskOf({ ...nothing, paymentContext: 'merchant_initiated' }), UNSAID);
  assert.deepEqual(await riskOf(), UNSAID);
});
