import { readFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { type Config, ConfigError, VARIABLES } from '../../../platform/config/config.ts';
import { type Env, LOOPBACK } from '../../../platform/config/readers.ts';
import { errorCode, errorMessage } from '../../../platform/values/thrown.ts';
import { readSandboxFile, type SandboxFile } from '../../wiring/sandbox-merchant.ts';

type Setting = 'OPERATOR_HOST' | 'OPERATOR_PORT' | 'DATA_DIR';

/** Returns one setting. The others may be missing where an operator runs commands. Throws ConfigError. */
function setting(env: Env, name: Setting): string {
  const { fallback, read } = VARIABLES[name];
  const value = env[name] || fallback || '';
  try {
    if (value !== '') read(value);
    return value;
  } catch (error) {
    throw new ConfigError(`${name} ${errorMessage(error)}`);
  }
}

/**
 * Returns where the operators' API is: RECOLLECT_OPERATOR_URL, else the sandbox that runs on this data folder, else the port of
 * this machine. Throws ConfigError as `requireSecure`.
 */
export function serviceUrl(env: Env): string {
  const url = env.RECOLLECT_OPERATOR_URL || sandboxOf(env)?.operator_url || ownPort(env).href;
  requireSecure('RECOLLECT_OPERATOR_URL', url);
  return url.replace(/\/+$/, '');
}

/** Throws ConfigError for an address that is none, or http to another machine, where anybody on the way would read the key. */
export function requireSecure(name: string, address: string): void {
  const url = URL.parse(address);
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && isHere(url.hostname))) return;
  throw new ConfigError(
    `${name} must be https://, or http:// on this machine, and ${address} is not: your key would be read on the way`,
  );
}

function ownPort(env: Env): URL {
  const host = setting(env, 'OPERATOR_HOST');
  const at = ['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host;
  return new URL(`http://${at.includes(':') ? `[${at}]` : at}:${setting(env, 'OPERATOR_PORT')}`);
}

/** Whether a host is this machine. */
function isHere(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '');
  const own = Object.values(networkInterfaces()).flatMap((some) => some ?? []);
  return LOOPBACK.test(host) || own.some(({ address }) => address === bare);
}

const sandboxOf = (env: Env): SandboxFile | null =>
  env.MODE === 'live' || env.RECOLLECT_OPERATOR_URL
    ? null
    : readSandboxFile(setting(env, 'DATA_DIR'));

/**
 * Returns the key of whoever runs a command: that of a file, RECOLLECT_OPERATOR_KEY, or the first operator's of the sandbox here.
 * Throws ConfigError without one. No option takes it: other users of a machine read what a process was called with.
 */
export function operatorKey(env: Env, file = env.RECOLLECT_OPERATOR_KEY_FILE): string {
  const key = (file ? readKey(file) : env.RECOLLECT_OPERATOR_KEY)?.trim();
  const found = key || sandboxOf(env)?.operator_key;
  if (!found)
    throw new ConfigError(
      'your key says who you are: name its file by --key-file or RECOLLECT_OPERATOR_KEY_FILE, or set RECOLLECT_OPERATOR_KEY',
    );
  return found;
}

/** Reads the file of a key. Throws ConfigError. */
function readKey(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new ConfigError(`the key file ${path} cannot be read (${errorCode(error)})`);
  }
}

/** Returns the key of a file, RECOLLECT_API_KEY, or the sandbox here. Throws ConfigError without one. */
export function apiKeyOf(env: Env, { mode, dataDir }: Config, file?: string): string {
  const given = (file === undefined ? env.RECOLLECT_API_KEY : readKey(file))?.trim();
  const key = given || (mode === 'sandbox' ? readSandboxFile(dataDir)?.api_key : undefined);
  if (!key)
    throw new ConfigError(
      'name the file of an API key by --api-key-file, or set RECOLLECT_API_KEY',
    );
  return key;
}
