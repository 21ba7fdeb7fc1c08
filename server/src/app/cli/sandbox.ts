import type { Recollect } from '@recollect/sdk';
import { type Config, ConfigError } from '../../platform/config.ts';
import { readSandboxFile } from '../sandbox-merchant.ts';
import { callService } from './call-service.ts';

/** Calls the running sandbox with the key from its file. Throws ConfigError with one clear line. */
export async function callSandbox<T>(
  config: Config,
  call: (client: Recollect) => Promise<T>,
): Promise<T> {
  if (config.mode === 'live')
    throw new ConfigError('MODE is live, and there is no sandbox: set MODE=sandbox');
  const file = readSandboxFile(config.dataDir);
  if (file === null)
    throw new ConfigError(`no sandbox has run in ${config.dataDir}: start it with npm start`);
  return callService({ apiKey: file.api_key, baseUrl: file.base_url }, call);
}
