import { type Config, ConfigError } from '../../../platform/config/config.ts';
import { makeIssuer, type OpenIssuer } from '../../../wallets/make-issuer.ts';
import { readSandboxFile } from '../../wiring/sandbox-merchant.ts';

/** Opens the configured issuer, else that of the sandbox that last ran on this data folder; null if there is neither. */
export async function findIssuer(config: Config): Promise<OpenIssuer | null> {
  const file = config.issuer === null ? readSandboxFile(config.dataDir) : null;
  const sandbox =
    file === null
      ? null
      : await (await import('../../../sandbox/partners.ts')).issuerOfSandbox(
          config.dataDir,
          file.issuer_url,
        );
  const known = config.issuer ?? sandbox;
  return known === null ? null : makeIssuer(known);
}

/** Like `findIssuer`, but throws ConfigError if there is none. */
export async function openIssuer(config: Config): Promise<OpenIssuer> {
  const issuer = await findIssuer(config);
  if (issuer === null) throw new ConfigError('no e-money issuer is configured');
  return issuer;
}
