import { readFileSync } from 'node:fs';
import type { Env } from './config-readers.ts';
import { type Finding, problem } from './config-rules.ts';
import { errorCode, errorMessage } from './thrown.ts';

/** Settings whose values are never shown, and which may come from a file: `<setting>_FILE` names it. */
export const SECRET_SETTINGS = [
  'DATABASE_URL',
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

/**
 * Returns the environment with the secrets that are kept in files, without white space around them, and what is wrong with those
 * files. A finding names `<setting>_FILE`, and never shows what the file holds.
 */
export function withSecretsOfFiles(env: Env): { env: Env; findings: Finding[]; wrong: string[] } {
  const found: Record<string, string> = {};
  const findings: Finding[] = [];
  const wrong: string[] = [];
  for (const setting of SECRET_SETTINGS) {
    const path = env[`${setting}_FILE`] ?? '';
    if (path === '') continue;
    try {
      if ((env[setting] ?? '') !== '')
        throw new Error(`and ${setting} are both set: set one of them`);
      found[setting] = secretIn(path);
    } catch (error) {
      wrong.push(setting);
      findings.push(problem(`${setting}_FILE`, errorMessage(error)));
    }
  }
  return { env: { ...env, ...found }, findings, wrong };
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
