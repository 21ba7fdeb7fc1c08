import type { Recollect } from '@recollect/sdk';
import type { Command } from 'commander';
import { type Config, ConfigError } from '../../../platform/config/config.ts';
import type { Env } from '../../../platform/config/readers.ts';
import { readSandboxFile, type SandboxFile } from '../../wiring/sandbox-merchant.ts';
import { callService } from '../session/call-service.ts';
import { readKey, requireSecure } from './access.ts';

/** How a command reaches the API of a merchant. */
export interface MerchantAccess {
  apiKeyFile?: string;
  url?: string;
}

/** Where a command finds what it was not given. */
export interface Surroundings {
  env: Env;
  config: () => Config;
}

/** Adds the options that name the API key and the service. The sandbox of this data folder is known with both. */
export function withAccess(command: Command): Command {
  return command
    .option(
      '--api-key-file <path>',
      "a file with an API key of the merchant's; default: RECOLLECT_API_KEY, or the sandbox's key",
    )
    .option('--url <url>', 'where the service runs; default: BASE_URL, or the sandbox here');
}

/** Returns the key and the address of a running service's API. Throws ConfigError with one clear line. */
export function accessOf(
  { env, config }: Surroundings,
  { apiKeyFile, url }: MerchantAccess,
): { apiKey: string; baseUrl: string } {
  const given = (apiKeyFile === undefined ? env.RECOLLECT_API_KEY : readKey(apiKeyFile))?.trim();
  const sandbox = given ? null : sandboxOf(config());
  const apiKey = given || sandbox?.api_key;
  if (!apiKey)
    throw new ConfigError(
      'name the file of an API key by --api-key-file, or set RECOLLECT_API_KEY',
    );
  const baseUrl = url ?? sandbox?.base_url ?? config().baseUrl;
  requireSecure('--url', baseUrl);
  return { apiKey, baseUrl };
}

/** Calls the API of a running service with the merchant's key. Throws ConfigError with one clear line. */
export const callMerchant = <T>(
  surroundings: Surroundings,
  access: MerchantAccess,
  call: (client: Recollect) => Promise<T>,
): Promise<T> => callService(accessOf(surroundings, access), call);

/** Returns the file of the sandbox that runs on this data folder; null: there is none. */
const sandboxOf = ({ mode, dataDir }: Config): SandboxFile | null =>
  mode === 'sandbox' ? readSandboxFile(dataDir) : null;
