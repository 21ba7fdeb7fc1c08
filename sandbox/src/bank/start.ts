import { join } from 'node:path';
import { createTimekeeper, openClock } from '../clock.ts';
import { listen } from '../listen.ts';
import { openStore } from '../store.ts';
import type { Bank, BankDeps } from './bank.ts';
import { BRANDS } from './behaviour/brands.ts';
import { createFaults } from './behaviour/faults.ts';
import { seedAccounts } from './books/books.ts';
import { createDueWork } from './books/due-work.ts';
import { registerIncomingPayments } from './books/incoming-payments.ts';
import { quirksOf } from './books/quirks-in-force.ts';
import { type BankConfig, parseBankConfig } from './config.ts';
import { registerControl } from './control/control.ts';
import { registerDirectory } from './doors/directory-routes.ts';
import { createBackChannel, createPages } from './doors/listeners.ts';
import { createProvider } from './doors/provider.ts';
import { registerRegistration } from './doors/registration-routes.ts';
import { registerPages } from './pages/routes.ts';
import { openDirectory } from './parties/directory.ts';
import { purgeExpired } from './parties/oidc-adapter.ts';
import { SCHEMA } from './schema.ts';
import { registerBackChannel } from './vrp/back-channel.ts';
import { openSigningKey } from './wire/keys.ts';

interface RunningBank {
  close(): Promise<void>;
}

/** Starts every bank of the sandbox; resolves when both listeners are ready. */
export async function startBank(input: BankConfig): Promise<RunningBank> {
  const config = parseBankConfig(input);
  const store = openStore(join(config.data_dir, 'bank.sqlite'), SCHEMA);
  const clock = openClock(store);
  const isFirstStart = !store.get('SELECT 1 FROM accounts LIMIT 1');
  if (isFirstStart && config.start_at) clock.set(Temporal.Instant.from(config.start_at), true);
  seedAccounts(store, clock.now());
  purgeExpired(store);
  const directory = await openDirectory(store, config);
  const banks = await openBanks({ store, config, directory });
  const faults = createFaults();
  const deps: BankDeps = {
    config,
    store,
    clock,
    banks,
    directory,
    faults,
    settle: () => void settleSoon(),
  };
  const timekeeper = createTimekeeper(clock, createDueWork(deps), report);
  const settleSoon = () => timekeeper.settle().catch(report);

  const backChannel = createBackChannel(config, banks, (bank) =>
    quirksOf(store, bank.brand).has('refuses_clients'),
  );
  await backChannel.register(async (scope) => registerBackChannel(scope, deps));
  await backChannel.register(async (scope) => registerRegistration(scope, deps));
  registerDirectory(backChannel, deps);
  const pages = createPages(config, banks);
  await registerPages(pages, deps);
  await registerControl(pages, deps, timekeeper);
  registerIncomingPayments(pages, deps);
  const close = async (): Promise<void> => {
    await Promise.all([backChannel.close(), pages.close()]);
    await timekeeper.stop();
    store.close();
  };
  try {
    await listen(backChannel, config.back_channel, 'back channel of the sandbox bank');
    await listen(pages, config.pages, 'pages of the sandbox bank');
  } catch (error) {
    await close();
    throw error;
  }
  timekeeper.start();
  return { close };
}

async function openBanks(
  deps: Pick<BankDeps, 'store' | 'config' | 'directory'>,
): Promise<Map<string, Bank>> {
  const { store, config } = deps;
  const banks = new Map<string, Bank>();
  for (const brand of BRANDS) {
    const key = await openSigningKey(store, brand.bankId);
    const issuer = `${config.back_channel_url}/${brand.bankId}`;
    const resourceBase = `${issuer}/open-banking/v4.0/pisp`;
    const provider = createProvider(deps, brand, key);
    banks.set(brand.bankId, { brand, issuer, resourceBase, key, provider });
  }
  return banks;
}

function report(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
}
