import { after } from 'node:test';
import { type SandboxBank, startSandboxBank } from '../../../test-support/sandbox-bank.ts';
import { sandboxDriver } from '../../../test-support/sandbox-customer.ts';
import { bankContract } from '../bank-contract.ts';
import { OPEN_BANKING_TRAITS, type OpenBankingBank, openBankingBank } from './connector.ts';

let sandbox: SandboxBank | undefined;
let bank: OpenBankingBank | undefined;
after(async () => {
  await bank?.close();
  await sandbox?.close();
});

bankContract(
  'the open banking connector, at the sandbox bank,',
  OPEN_BANKING_TRAITS,
  async () => {
    sandbox = await startSandboxBank();
    bank = await openBankingBank(sandbox.config('northbank'));
    return bank;
  },
  async () => {
    if (!sandbox) throw new Error('the sandbox bank is not running');
    return sandboxDriver(sandbox, 'northbank');
  },
);
