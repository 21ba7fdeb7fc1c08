import { Recollect, RecollectConnectionError, RecollectError } from '@recollect/sdk';
import { type Config, ConfigError } from '../../platform/config.ts';
import { readSandboxFile } from '../sandbox-merchant.ts';

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
  try {
    return await call(new Recollect({ apiKey: file.api_key, baseUrl: file.base_url }));
  } catch (error) {
    if (error instanceof RecollectConnectionError)
      throw new ConfigError(`nothing is listening at ${file.base_url}: start it with npm start`);
    if (!(error instanceof RecollectError)) throw error;
    const details = Object.entries(error.details ?? {}).map((detail) => detail.join(': '));
    // With a single wrong field the message already says what is wrong with it.
    const more = details.filter((detail) => detail !== error.message);
    throw new ConfigError([error.message, ...more].join('. '));
  }
}
