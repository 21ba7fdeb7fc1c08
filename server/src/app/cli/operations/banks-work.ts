import { readFileSync } from 'node:fs';
import { RegistrationFailed } from '../../../banks/open-banking/registration.ts';
import { bankStates } from '../../../consents/bank-trust-store.ts';
import { type Config, ConfigError } from '../../../platform/config/config.ts';
import type { Env } from '../../../platform/config/readers.ts';
import { examineBanksFile } from '../../banks-file/banks-file.ts';
import { type CheckLine, checkBank } from '../../banks-file/check.ts';
import { checkModulr, checkTrueLayer } from '../../banks-file/check-aggregator.ts';
import {
  deleteBank,
  type Outcome,
  type RegisterOptions,
  registerBank,
  updateBank,
} from '../../banks-file/registration.ts';
import { withPlatform } from '../session/offline.ts';

/** Options of `bank register`. */
export interface RegistrationOptions
  extends Partial<Omit<RegisterOptions, 'redirectUris' | 'sandbox'>> {
  redirectUri?: string[];
  update?: true;
  delete?: true;
  json?: true;
}

/** Options of `bank check`. */
export interface CheckOptions {
  file?: string;
  participants?: string;
  participantsToken?: string;
  json?: true;
}

/** `bank register`. Throws ConfigError with what is missing, wrong or refused. */
export async function registerBankCommand(
  env: Env,
  config: () => Config,
  bankId: string,
  options: RegistrationOptions,
): Promise<Outcome> {
  const { update, delete: isDelete, json, redirectUri, file, ...given } = options;
  const all: RegisterOptions = {
    ...given,
    file: fileOf(env, file),
    redirectUris: redirectUri ?? defaultRedirect(env),
    sandbox: env.MODE !== 'live',
  };
  try {
    if (isDelete) return await deleteBank(bankId, all, (id) => consentsGranted(config(), id));
    return await (update ? updateBank(bankId, all) : registerBank(bankId, all));
  } catch (error) {
    if (error instanceof RegistrationFailed) throw new ConfigError(error.message);
    throw error;
  }
}

/** `bank check`. */
export async function checkBanksCommand(
  env: Env,
  bankId: string | undefined,
  options: CheckOptions,
): Promise<{ text: string; isGood: boolean }> {
  const file = fileOf(env, options.file);
  const { banks, modulr, truelayer, problems } = examineBanksFile(
    { paymentScheme: 'commercial' },
    file,
  );
  const isChosen = (bank: { bankId: string }) => bankId === undefined || bank.bankId === bankId;
  const chosen = banks.filter(isChosen);
  const aggregated = [
    ...modulr.filter(isChosen).map((one) => () => checkModulr(one)),
    ...truelayer.filter(isChosen).map((one) => () => checkTrueLayer(one)),
  ];
  if (chosen.length + aggregated.length === 0 && problems.length === 0)
    throw new ConfigError(`${file} has no bank ${bankId ?? ''}`.trim());
  const participants = options.participants === undefined ? null : participantsOf(options);
  const sandbox = env.MODE !== 'live';
  const lines: CheckLine[] = problems.map((says) => ({
    bank: bankId ?? '*',
    check: 'banks file',
    level: 'problem',
    says,
  }));
  // With a wrong file nothing is called: a call with half a configuration tells nothing.
  if (problems.length === 0) {
    for (const bank of chosen)
      lines.push(...(await checkBank(file, { ...bank, sandbox }, participants)));
    for (const check of aggregated) lines.push(...(await check()));
  }
  const isGood = lines.every(({ level }) => level !== 'problem');
  const text = options.json ? `${JSON.stringify(lines, null, 2)}\n` : textOf(lines);
  return { text, isGood };
}

const WORDS = { good: 'ok     ', warning: 'warning', problem: 'PROBLEM' } as const;

function textOf(lines: readonly CheckLine[]): string {
  return lines
    .map(({ bank, check, level, says }) => `${WORDS[level]}  ${bank} ${check}: ${says}\n`)
    .join('');
}

function participantsOf({ participants = '', participantsToken }: CheckOptions) {
  if (participantsToken === undefined) return { url: participants };
  return { url: participants, token: readFileSync(participantsToken, 'utf8').trim() };
}

function fileOf(env: Env, given: string | undefined): string {
  const file = given ?? env.BANKS_FILE;
  if (file === undefined || file === '') throw new ConfigError('give --file, or set BANKS_FILE');
  return file;
}

const defaultRedirect = ({ BASE_URL: base = '' }: Env): string[] =>
  base === '' ? [] : [`${base.replace(/\/+$/, '')}/consent/callback`];

async function consentsGranted(config: Config, bankId: string): Promise<number> {
  const states = await withPlatform(config, ({ db }) => db.read(bankStates));
  return Number(states.find(({ bankId: bank_id }) => bank_id === bankId)?.consentsGranted ?? 0);
}
