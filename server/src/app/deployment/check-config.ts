import { existsSync } from 'node:fs';
import { makeMail } from '../../notices/mail.ts';
import {
  type Config,
  ConfigError,
  examineConfig,
  problemLines,
} from '../../platform/config/config.ts';
import type { Finding } from '../../platform/config/finding.ts';
import type { Env } from '../../platform/config/readers.ts';
import { openDb } from '../../platform/db/db.ts';
import { makeLog } from '../../platform/log/log.ts';
import { realNow } from '../../platform/time/clock.ts';
import { errorMessage } from '../../platform/values/thrown.ts';
import { readStamp } from '../../platform/vault/deployment-store.ts';
import { examineBanksFile } from '../banks-file/banks-file.ts';
import { certificateFindings } from '../banks-file/certificates.ts';
import { openDatabase, refusePooledTransactions, settingOf } from './database.ts';
import { loginFindings } from './database-logins.ts';
import { checkOurs } from './deployment.ts';

/** The sandbox's part of the server, which an installation for production leaves out. */
const SANDBOX = new URL('../../sandbox', import.meta.url);

/** Checks the settings and the files they name. `config` is null if there is a problem. */
export function checkConfig(env: Env): { config: Config | null; findings: Finding[] } {
  const { config, findings, banksFile } = examineConfig(env);
  const all = [
    ...findings,
    ...sandboxFindings(config),
    ...(banksFile === null ? [] : bankFindings(banksFile)),
  ];
  return { config: all.some(({ level }) => level === 'problem') ? null : config, findings: all };
}

/** Returns the configuration for a start. Throws ConfigError with one line per problem in the settings and files. */
export function configForStart(env: Env): { config: Config; warnings: string[] } {
  const { config, findings } = checkConfig(env);
  if (config === null) throw new ConfigError(problemLines(findings).join('\n'));
  const warnings = findings.filter(({ level }) => level === 'warning');
  return { config, warnings: warnings.map(({ setting, says }) => `${setting} ${says}`) };
}

/** The tarball for production has no sandbox, and its mode is the default. */
function sandboxFindings(config: Config | null): Finding[] {
  if (config?.mode !== 'sandbox' || existsSync(SANDBOX)) return [];
  const says = 'is sandbox, and this installation has no sandbox: set it to live';
  return [{ level: 'problem', setting: 'MODE', says }];
}

function bankFindings(path: string): Finding[] {
  const now = realNow();
  const { banks, problems } = examineBanksFile({ paymentScheme: 'commercial' }, path);
  return [
    ...problems.map((line): Finding => {
      const [setting = '', ...words] = line.split(' ');
      return { level: 'problem', setting, says: words.join(' ') };
    }),
    ...banks.flatMap((bank) => certificateFindings(path, bank, now)),
  ];
}

/** Checks whether the configured database responds, is ours, and has the logins that it needs. Changes nothing there. */
export async function databaseFindings(config: Config): Promise<Finding[]> {
  const { databaseUrl, migrateUrl } = config;
  if (databaseUrl === null) return [];
  const found = [await databaseFinding(config)];
  if (migrateUrl !== null)
    found.push(await databaseFinding({ ...config, databaseUrl: migrateUrl }));
  // A database that does not answer has said so above.
  const logins = await loginFindings(config).catch(() => []);
  const isRefused = logins.some(({ level }) => level === 'problem');
  return [
    ...found.filter(({ says }) => !isRefused || !says.includes('permission denied')),
    ...logins,
  ];
}

/** Checks one address of the database. */
async function databaseFinding(config: Config): Promise<Finding> {
  const setting = settingOf(config);
  try {
    const { url, stop } = await openDatabase(config, makeLog('silent'));
    await refusePooledTransactions(config);
    const db = openDb(url, 1);
    try {
      const stamp = await db.read(readStamp);
      if (stamp === null)
        return { level: 'good', setting, says: 'answers, and nobody has started on it yet' };
      checkOurs(config, stamp);
      return { level: 'good', setting, says: `answers, and is ours (${stamp.deploymentId})` };
    } finally {
      await db.close();
      await stop();
    }
  } catch (error) {
    const [name = setting, ...words] = errorMessage(error).split(' ');
    return { level: 'problem', setting: name, says: words.join(' ') };
  }
}

/** Checks whether the configured mail server lets us sign in. Sends nothing. */
export async function mailFindings(config: Config): Promise<Finding[]> {
  const mail = makeMail(config);
  if (mail === null) return [];
  const setting = 'SMTP_URL';
  try {
    await mail.verify();
    return [{ level: 'good', setting, says: 'answers, and lets us sign in' }];
  } catch (error) {
    return [{ level: 'problem', setting, says: `does not take us: ${errorMessage(error)}` }];
  } finally {
    mail.close();
  }
}

/** Checks whether an OpenID provider answers at the operators' issuer. Nobody is signed in. */
export async function signOnFindings({ mode, consoleSignIn }: Config): Promise<Finding[]> {
  const { sso } = consoleSignIn;
  if (sso === null) return [];
  const setting = 'OPERATOR_SSO_ISSUER';
  const { makeProviders } = await import('../../merchants/sign-in/sso/providers.ts');
  const providers = makeProviders({ mode, isOurs: true });
  try {
    await providers.check(sso);
    return [{ level: 'good', setting, says: 'answers as an OpenID provider' }];
  } catch (error) {
    const says = `does not answer as an OpenID provider: ${errorMessage(error)}`;
    return [{ level: 'problem', setting, says }];
  } finally {
    await providers.close();
  }
}

/** Says whether text messages are sent. Nothing is asked: a gateway has no question that sends none. */
export function textFinding({ sms }: Pick<Config, 'sms'>): Finding {
  const says =
    sms === null
      ? 'is not set: customers without an email address are told nothing'
      : 'is not tried here: it gets the first notice to a customer without an email address';
  return { level: 'good', setting: 'SMS_URL', says };
}
