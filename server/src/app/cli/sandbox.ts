import { request } from 'undici';
import { type Config, ConfigError } from '../../platform/config.ts';
import { readSandboxFile } from '../sandbox-merchant.ts';

/** Calls the running sandbox over its API, with the key it wrote down; answers what it said. */
export async function callSandbox(
  config: Config,
  method: 'GET' | 'POST' | 'PUT',
  path: string,
  body?: object,
): Promise<unknown> {
  const file = readSandboxFile(config.dataDir);
  if (file === null) throw new ConfigError(`no sandbox has run in ${config.dataDir}: start it with npm start`);
  const answer = await request(`${file.base_url}${path}`, {
    method,
    headers: { authorization: `Bearer ${file.api_key}`, 'content-type': 'application/json' },
    headersTimeout: 0, // an advance over a year takes its time
    bodyTimeout: 0,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch(() => {
    throw new ConfigError(`nothing answers at ${file.base_url}: start it with npm start`);
  });
  const said = (await answer.body.json()) as { error?: { message: string; details?: Record<string, string> } };
  if (said.error !== undefined)
    throw new ConfigError([said.error.message, ...Object.entries(said.error.details ?? {}).map((d) => d.join(': '))].join(' '));
  return said;
}
