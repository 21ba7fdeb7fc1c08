import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode, errorMessage } from '../values/thrown.ts';
import { type Finding, problem, warning } from './finding.ts';
import { type Env, text, variable } from './readers.ts';

/** Settings whose values are never shown, and which may come from a file: `<setting>_FILE` names it. */
export const SECRET_SETTINGS = [
  'DATABASE_URL',
  'MIGRATE_DATABASE_URL',
  'REDIS_URL',
  'ENCRYPTION_KEYS',
  'BLIND_INDEX_KEY',
  'SIGNING_KEYS',
  'ISSUER_SECRET',
  'ISSUER_NOTIFICATION_SECRET',
  'ISSUER_PREVIOUS_NOTIFICATION_SECRET',
  'OPERATOR_SSO_CLIENT_SECRET',
  'SMTP_URL',
  'SMS_URL',
  'SMS_TOKEN',
] as const;

export const FOLDER_VARIABLES = {
  SECRETS_DIR: variable(
    'a folder with a file for each secret, named as its setting in small letters: issuer_secret for ISSUER_SECRET',
    null,
    text,
  ),
} as const;

/** The environment with the secrets of files, and what is wrong with those files. */
interface WithSecrets {
  env: Env;
  findings: Finding[];
  wrong: string[];
  /** By which setting a secret was found in a file. */
  sources: ReadonlyMap<string, string>;
}

/**
 * Returns the environment with the secrets that are kept in files, without white space around them, and what is wrong with those
 * files. A finding names `<setting>_FILE` or `SECRETS_DIR`, and never shows what the file holds.
 */
export function withSecretsOfFiles(env: Env): WithSecrets {
  const found: Record<string, string> = {};
  const sources = new Map<string, string>();
  const wrong: string[] = [];
  const folder = folderOf(env.SECRETS_DIR ?? '');
  const { findings } = folder;
  for (const setting of SECRET_SETTINGS) {
    const own = env[`${setting}_FILE`] ?? '';
    const inFolder = folder.files.get(setting);
    const path = own === '' ? inFolder : own;
    if (path === undefined) continue;
    const source = own === '' ? 'SECRETS_DIR' : `${setting}_FILE`;
    try {
      if ((env[setting] ?? '') !== '')
        throw new Error(`and ${setting} are both set: set one of them`);
      if (own !== '' && inFolder !== undefined)
        throw new Error(`and ${inFolder} of SECRETS_DIR are both there: leave one of them out`);
      found[setting] = secretIn(path);
      sources.set(setting, source);
    } catch (error) {
      wrong.push(setting);
      findings.push(problem(source, errorMessage(error)));
    }
  }
  return { env: { ...env, ...found }, findings, wrong, sources };
}

/** Returns the secrets' files of a folder. Files whose names begin with a dot are the system's. */
function folderOf(dir: string): { files: Map<string, string>; findings: Finding[] } {
  const files = new Map<string, string>();
  if (dir === '') return { files, findings: [] };
  try {
    const findings: Finding[] = [];
    for (const name of readdirSync(dir).filter((one) => !one.startsWith('.'))) {
      const setting = SECRET_SETTINGS.find((one) => one.toLowerCase() === name);
      if (setting !== undefined) files.set(setting, join(dir, name));
      else findings.push(warning('SECRETS_DIR', `has a file ${name}, which is no secret of ours`));
    }
    return { files, findings };
  } catch (error) {
    const says = `${dir} cannot be read (${errorCode(error)})`;
    return { files, findings: [problem('SECRETS_DIR', says)] };
  }
}

function secretIn(path: string): string {
  let text: string;
  try {
    text = readFileSync(path, 'utf8').trim();
  } catch (error) {
    throw new Error(`${path} cannot be read (${errorCode(error)})`);
  }
  if (text === '') throw new Error(`${path} is empty: write the secret into it`);
  return text;
}
