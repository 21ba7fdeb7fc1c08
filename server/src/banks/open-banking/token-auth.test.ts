import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startSandboxBank } from '../../../test-support/sandbox-bank.ts';
import { startStubBank } from '../../../test-support/stub-bank.ts';
import { BankDefect, type ConsentRequest } from '../bank.ts';
import type { OpenBankingConfig } from './config.ts';
import { type OpenBankingBank, openBankingBank } from './connector.ts';

const TERMS: ConsentRequest = {
  idempotencyKey: 'con_1',
  creditor: { sortCode: '089999', accountNumber: '66374958', name: 'Wallet' },
  ultimateCreditorName: 'Fernhill Broadband Ltd',
  customerReference: 'cus_1',
  reference: 'SCH7K2M4P9Q',
  currency: 'GBP',
  controlParameters: {
    validFrom: Temporal.Now.instant(),
    validTo: null,
    maximumAmountPence: 4999,
    periodicLimits: [{ periodType: 'Month', alignment: 'Consent', amountPence: 4999 }],
  },
};

/** The subject of the certificates that the tests present. */
const SUBJECT = 'CN=recollect-sandbox';

/** Uses a connector, and closes it. */
async function withBank(
  config: OpenBankingConfig,
  use: (bank: OpenBankingBank) => Promise<unknown>,
): Promise<void> {
  const bank = await openBankingBank(config);
  try {
    await use(bank);
  } finally {
    await bank.close();
  }
}

test('a bank that knows our certificate gives a token for it alone', async () => {
  const sandbox = await startSandboxBank({ tls_client_auth_subject_dn: SUBJECT });
  const config = { ...sandbox.config('northbank'), tokenAuth: 'tls_client_auth' } as const;
  try {
    await withBank(config, async (bank) => {
      const { bankConsentId } = await bank.createConsent(TERMS);
      assert.equal((await bank.readConsent(bankConsentId)).status, 'AWAU');
    });
    const { tokenAuth: _, ...asBefore } = config;
    await withBank(asBefore, (bank) =>
      assert.rejects(bank.createConsent(TERMS), BankDefect, 'registered for the certificate only'),
    );
  } finally {
    await sandbox.close();
  }
});

test('a certificate of another subject, or one that is not registered, gives no token', async () => {
  for (const registered of [{ tls_client_auth_subject_dn: 'CN=somebody else' }, {}]) {
    const sandbox = await startSandboxBank(registered);
    const config = { ...sandbox.config('northbank'), tokenAuth: 'tls_client_auth' } as const;
    try {
      await withBank(config, (bank) => assert.rejects(bank.createConsent(TERMS), BankDefect));
    } finally {
      await sandbox.close();
    }
  }
});

test('a bank whose metadata does not have the method that is configured is not asked for a token', async () => {
  const stub = await startStubBank();
  stub.metadata = { token_endpoint_auth_methods_supported: ['private_key_jwt'] };
  try {
    const config = { ...stub.config, tokenAuth: 'tls_client_auth' } as const;
    await withBank(config, (bank) => assert.rejects(bank.createConsent(TERMS), BankDefect));
    assert.equal(stub.tokens(), 0);
  } finally {
    await stub.close();
  }
});
