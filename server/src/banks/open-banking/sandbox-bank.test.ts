import { after } from 'node:test';
import { type SandboxBank, startSandboxBank } from '../../../test-support/sandbox-bank.ts';
import { sandboxDriver } from '../../../test-support/sandbox-customer.ts';
import { bankContract } from '../bank-contract.ts';
import { OPEN_BANKING_TRAITS, type OpenBankingBank, openBankingBank } from './connector.ts';

let starting: Promise<SandboxBank> | undefined;
const sandbox = (): Promise<SandboxBank> => {
  starting ??= startSandboxBank();
  return starting;
};
const banks: OpenBankingBank[] = [];
after(async () => {
  for (const bank of banks) await bank.close();
  await (await starting)?.close();
});

/** An ordinary bank, and those that follow published contracts: each wants another thing of the same connector. */
const BANKS: readonly [bankId: string, periods?: typeof OPEN_BANKING_TRAITS.periods][] = [
  ['northbank'],
  ['larkfield', ['Day', 'Week', 'Month', 'Year']],
  ['greystone'],
  ['whitecliff'],
  ['ravenhall'],
];

for (const [bankId, periods = OPEN_BANKING_TRAITS.periods] of BANKS)
  bankContract(
    `the open banking connector, at the sandbox bank ${bankId},`,
    { ...OPEN_BANKING_TRAITS, periods },
    async () => {
      const bank = await openBankingBank({ ...(await sandbox()).config(bankId), periods });
      banks.push(bank);
      return bank;
    },
    async () => sandboxDriver(await sandbox(), bankId),
  );
