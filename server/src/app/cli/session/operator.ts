import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import type { Acting } from '../../../operators/access/acting.ts';
import { type Config, ConfigError } from '../../../platform/config/config.ts';
import type { Env } from '../../../platform/config/readers.ts';
import { shellId } from '../../../platform/two-people/pair.ts';

/** Who runs a command: the name typed, the key given, and, once the database knows it, the operator of that key. */
interface Decision {
  typed: string;
  key: string | null;
  acting: Acting | null;
}

const words = new WeakMap<Config, Decision>();

/** What the command line says of whoever runs it. */
export interface OperatorOptions {
  operator?: string;
  keyFile?: string;
}

/**
 * Sets the operator of a configuration: the name given, else the user who called `sudo`, else the login. With a key (a file, or
 * RECOLLECT_OPERATOR_KEY) it is the operator whose key it is. Throws ConfigError for a file that cannot be read.
 */
export function noteOperator(config: Config, env: Env, options: OperatorOptions): Config {
  const { operator, keyFile } = options;
  const key = keyFile === undefined ? env.RECOLLECT_OPERATOR_KEY?.trim() : readKey(keyFile);
  if (key && operator !== undefined)
    throw new ConfigError('give --operator or a key, and not both: the key says who you are');
  const typed = operator?.trim() || env.SUDO_USER?.trim() || login();
  words.set(config, { typed, key: key || null, acting: null });
  return config;
}

function readKey(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    throw new ConfigError(`--key-file ${path} cannot be read`);
  }
}

const decisionOf = (config: Config): Decision =>
  words.get(config) ?? { typed: login(), key: null, acting: null };

/** Returns the key that the command was given, or null. */
export const keyOf = (config: Config): string | null => decisionOf(config).key;

/** Sets whose key it is. */
export function recognised(config: Config, acting: Acting): void {
  words.set(config, { ...decisionOf(config), acting });
}

/** Returns the name under which the audit trail records a command's changes. With a key: only once the database is open. */
export function operatorOf(config: Config): string {
  return actingOf(config).name;
}

/** Returns who acts: the operator of the key, else a name that was typed, which asks and never agrees. */
export function actingOf(config: Config): Acting {
  const { typed, acting } = decisionOf(config);
  return acting ?? { id: shellId(typed), name: typed, roles: null };
}

/**
 * Throws ConfigError unless a key says who agrees: a typed name proves nothing. The sentence says where to agree.
 */
export function requireKey(config: Config): void {
  if (keyOf(config) !== null) return;
  throw new ConfigError(
    'a name typed here can ask, and cannot agree: agree in the console with your own key, or give it by --key-file or RECOLLECT_OPERATOR_KEY',
  );
}

/** Returns the login name. Some machines run processes under a user id without a name. */
function login(): string {
  try {
    return userInfo().username;
  } catch {
    return 'unknown';
  }
}
