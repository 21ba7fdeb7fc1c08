import { randomUUID } from 'node:crypto';
import { BankDefect } from '../../banks/bank.ts';
import type { ModulrConfig } from '../../banks/modulr/config.ts';
import { type ListedBank, openModulr } from '../../banks/modulr/connector.ts';
import { realNow } from '../../platform/time/clock.ts';
import type { CheckLine } from './check.ts';

type Found = Omit<CheckLine, 'bank' | 'check'>;

/** Checks a connection to Modulr: its list of banks, and a consent that does not exist. Makes nothing there. Never throws. */
export async function checkModulr(config: ModulrConfig): Promise<CheckLine[]> {
  const connection = openModulr(config, realNow);
  const lines: CheckLine[] = [];
  const look = async (check: string, work: () => Promise<Found>): Promise<void> => {
    const found = await work().catch((error: unknown): Found => problem(reasonOf(error)));
    lines.push({ bank: config.bankId, check, ...found });
  };
  try {
    await look('banks', async () => listed(await connection.list()));
    await look('consents', async () => {
      const { status } = await connection
        .bank('check', 'check')
        .readConsent(`none-${randomUUID()}`);
      if (status === 'GONE')
        return { level: 'good', says: 'a consent that does not exist is not found' };
      return problem(`a consent that does not exist is ${status}: ask Modulr`);
    });
  } finally {
    await connection.close();
  }
  return lines;
}

const problem = (says: string): Found => ({ level: 'problem', says });

function listed(list: readonly ListedBank[]): Found {
  const open = list.filter(({ isOpen }) => isOpen);
  if (open.length === 0)
    return problem(
      `none of ${list.length} banks is enabled for this type of VRP: ask Modulr to enable it for this key`,
    );
  return {
    level: 'good',
    says: `${open.length} banks: ${open.map(({ name }) => name).join(', ')}`,
  };
}

function reasonOf(error: unknown): string {
  const { message } = error as Error;
  const hint =
    'look at base_url, key_id, secret_file and the list of addresses that Modulr lets in';
  return error instanceof BankDefect ? message : `${message}: ${hint}`;
}
