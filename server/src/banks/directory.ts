import { type Bank, BankDefect } from './bank.ts';
import type { OpenBankingConfig } from './open-banking/config.ts';
import { type OpenBankingBank, openBankingBank } from './open-banking/connector.ts';

/** The configured banks by id, in the order in which the customer sees them. */
export interface BankDirectory {
  readonly banks: ReadonlyMap<string, Bank>;
  close(): Promise<void>;
}

/** Creates a connector for each bank. Throws `BankDefect` if two have the same id or a configuration is wrong. */
export async function bankDirectory(configs: OpenBankingConfig[]): Promise<BankDirectory> {
  const banks = new Map<string, OpenBankingBank>();
  for (const config of configs) {
    if (banks.has(config.bankId)) {
      throw new BankDefect(`two banks are called ${config.bankId}`, 'config');
    }
    banks.set(config.bankId, await openBankingBank(config));
  }
  return {
    banks,
    close: async () => {
      await Promise.all([...banks.values()].map((bank) => bank.close()));
    },
  };
}
