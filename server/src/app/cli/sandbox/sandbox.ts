import type { Recollect } from '@recollect/sdk';
import { codeAt } from '../../../merchants/sign-in/authenticator.ts';
import { type Config, ConfigError } from '../../../platform/config/config.ts';
import { realNow } from '../../../platform/time/clock.ts';
import { readSandboxFile, type SandboxFile } from '../../wiring/sandbox-merchant.ts';
import { callService } from '../session/call-service.ts';

/** Calls the running sandbox with the key from its file. Throws ConfigError with one clear line. */
export async function callSandbox<T>(
  config: Config,
  call: (client: Recollect) => Promise<T>,
): Promise<T> {
  const file = sandboxFile(config);
  return callService({ apiKey: file.api_key, baseUrl: file.base_url }, call);
}

function sandboxFile(config: Config): SandboxFile {
  if (config.mode === 'live')
    throw new ConfigError('MODE is live, and there is no sandbox: set MODE=sandbox');
  const file = readSandboxFile(config.dataDir);
  if (file === null)
    throw new ConfigError(`no sandbox has run in ${config.dataDir}: start it with npm start`);
  return file;
}

/** Returns what the sandbox's owner proves with who they are. Throws ConfigError if they have chosen their own password. */
export function ownerProof(config: Config): { password: string; code: string } {
  const { owner_password: password, owner_authenticator: secret } = sandboxFile(config);
  if (!password || !secret)
    throw new ConfigError('the owner has chosen a password and an authenticator of their own');
  return { password, code: codeAt(secret, realNow()) };
}
