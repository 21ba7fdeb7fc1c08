import { bankDirectory } from '../../banks/directory.ts';
import { type BankState, bankStates, trustBank } from '../../consents/bank-trust.ts';
import { type GiveUpDeps, giveUpPayment, Refusal } from '../../payments/give-up.ts';
import { recordReturn } from '../../payments/return-pay-in.ts';
import { type Config, ConfigError } from '../../platform/config.ts';
import type { Platform } from '../../platform/platform.ts';
import { issuerOfSandbox } from '../../sandbox/partners.ts';
import { HttpIssuer } from '../../wallets/issuer-http.ts';
import { readBanksFile } from '../banks-file.ts';
import { readSandboxFile } from '../sandbox-merchant.ts';
import { withPlatform } from './offline.ts';
import { operatorOf } from './operator.ts';

/** What came of a command, in a line. */
export interface Said {
  line: string;
  isDone: boolean;
}

/** Lends platform, banks and issuer to a piece of work; its refusal is an answer. */
async function withPartners(
  config: Config,
  work: (deps: GiveUpDeps) => Promise<string>,
): Promise<Said> {
  return withPlatform(config, async (platform: Platform) => {
    const { url, ...secrets } = await issuerConfig(config);
    const issuer = new HttpIssuer({ baseUrl: url, ...secrets });
    const configs = config.banksFile === null ? [] : readBanksFile(config, config.banksFile);
    const directory = await bankDirectory(configs);
    try {
      return { line: await work({ platform, issuer, banks: directory.banks }), isDone: true };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return { line: error.message, isDone: false };
    } finally {
      await directory.close();
      await issuer.close();
    }
  });
}

/** The issuer that is configured, else that of the sandbox which last ran on this data folder. */
async function issuerConfig(config: Config): Promise<NonNullable<Config['issuer']>> {
  if (config.issuer !== null) return config.issuer;
  const file = readSandboxFile(config.dataDir);
  if (file === null) throw new ConfigError('no e-money issuer is configured');
  return issuerOfSandbox(config.dataDir, file.issuer_url);
}

/** `bank list`. */
export function listBanksCommand(config: Config): Promise<BankState[]> {
  return withPlatform(config, (platform) => platform.db.read((tx) => bankStates(tx)));
}

/** `bank trust`. */
export function trustBankCommand(config: Config, bankId: string, reason: string): Promise<Said> {
  return withPlatform(config, async ({ db, clock }) => {
    const isDone = await db.transaction((tx) =>
      trustBank(tx, clock.now(), bankId, `${operatorOf(config)}: ${reason}`),
    );
    const line = isDone
      ? `the answers of ${bankId} about consents are acted on again; what is in doubt is looked at now`
      : `the answers of ${bankId} about consents are acted on already`;
    return { line, isDone };
  });
}

/** `payment fail`. */
export function failPaymentCommand(
  config: Config,
  paymentId: string,
  { reason, bankIsSilent }: { reason: string; bankIsSilent?: true },
): Promise<Said> {
  return withPartners(config, async (deps) => {
    const status = await giveUpPayment(deps, paymentId, reason, bankIsSilent === true);
    return status === 'failed'
      ? `${paymentId} has failed, and its merchant is told`
      : `the attempt has failed; ${paymentId} goes on with the money of an earlier one`;
  });
}

/** `pay-in returned`. */
export function returnPayInCommand(
  config: Config,
  movementId: string,
  reason: string,
): Promise<Said> {
  return withPartners(config, async (deps) => {
    const pence = await recordReturn(deps, movementId, reason);
    return `${movementId}: ${pence} pence are booked as sent back`;
  });
}
