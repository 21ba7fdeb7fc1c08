import { randomUUID } from 'node:crypto';
import type { Aggregator, ListedBank } from '../../banks/aggregator.ts';
import { BankDefect } from '../../banks/bank.ts';
import type { ModulrConfig } from '../../banks/modulr/config.ts';
import { openModulr } from '../../banks/modulr/connector.ts';
import type { TrueLayerConfig } from '../../banks/truelayer/config.ts';
import { openTrueLayer } from '../../banks/truelayer/connector.ts';
import { realNow } from '../../platform/time/clock.ts';
import type { CheckLine } from './check.ts';

type Found = Omit<CheckLine, 'bank' | 'check'>;

/** Checks a connection to Modulr, as `checkAggregator` does. */
export const checkModulr = (config: ModulrConfig): Promise<CheckLine[]> =>
  checkAggregator(openModulr(config, realNow), {
    name: 'Modulr',
    hint: 'look at base_url, key_id, secret_file and the list of addresses that Modulr lets in',
  });

/** Checks a connection to TrueLayer, as `checkAggregator` does: its list is asked for by a signed call. */
export const checkTrueLayer = (config: TrueLayerConfig): Promise<CheckLine[]> =>
  checkAggregator(openTrueLayer(config, realNow), {
    name: 'TrueLayer',
    hint: 'look at environment, client_id, client_secret_file, scope, signing_key_file and signing_kid',
  });

interface Words {
  name: string;
  /** Where to look if nothing was answered. */
  hint: string;
}

/** Checks an aggregator: its list of banks, and a consent that does not exist. Makes nothing there. Never throws. */
async function checkAggregator(
  connection: Aggregator,
  { name, hint }: Words,
): Promise<CheckLine[]> {
  const lines: CheckLine[] = [];
  const look = async (check: string, work: () => Promise<Found>): Promise<void> => {
    const found = await work().catch((error: unknown): Found => problem(reasonOf(error, hint)));
    lines.push({ bank: connection.bankId, check, ...found });
  };
  try {
    await look('banks', async () => listed(await connection.list(), name));
    await look('consents', async () => {
      const { status } = await connection.bank('check', 'check').readConsent(randomUUID());
      if (status === 'GONE')
        return { level: 'good', says: 'a consent that does not exist is not found' };
      return problem(`a consent that does not exist is ${status}: ask ${name}`);
    });
  } finally {
    await connection.close();
  }
  return lines;
}

const problem = (says: string): Found => ({ level: 'problem', says });

function listed(list: readonly ListedBank[], name: string): Found {
  const open = list.filter(({ isOpen }) => isOpen);
  if (open.length === 0)
    return problem(
      `none of ${list.length} banks is enabled for this type of VRP: ask ${name} to enable it for this key`,
    );
  return {
    level: 'good',
    says: `${open.length} banks: ${open.map((one) => one.name).join(', ')}`,
  };
}

function reasonOf(error: unknown, hint: string): string {
  const { message } = error as Error;
  return error instanceof BankDefect ? message : `${message}: ${hint}`;
}
