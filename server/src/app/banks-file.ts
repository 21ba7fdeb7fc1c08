import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import Type, { type Static } from 'typebox';
import { Value } from 'typebox/value';
import type { VrpType } from '../banks/bank.ts';
import type { OpenBankingConfig } from '../banks/open-banking/config.ts';
import { type Config, ConfigError } from '../platform/config.ts';

const BankEntry = Type.Object({
  bank_id: Type.String({ pattern: '^[a-z][a-z0-9_-]{1,40}$' }),
  name: Type.String({ minLength: 1 }),
  issuer: Type.String(),
  resource_base: Type.String(),
  client_id: Type.String(),
  org_id: Type.String(),
  software_id: Type.String(),
  bank_org_id: Type.String(),
  bank_jwks_uri: Type.String(),
  tls: Type.Object({ ca: Type.String(), cert: Type.String(), key: Type.String() }),
  signing_jwk: Type.String({ description: 'Path of a private PS256 key with a kid, as JWK.' }),
});

const BanksFile = Type.Object({ banks: Type.Array(BankEntry, { minItems: 1 }) });

/** The kind of VRP as the standard names it. */
function vrpTypeOf(config: Config): VrpType {
  return `UK.OBIE.VRPType.${config.vrpType}`;
}

/**
 * Reads the bank connections of a live service (docs/guides/operators.md). Paths in it are relative to the file. Throws
 * ConfigError naming the first thing that is wrong.
 */
export function readBanksFile(config: Config, path: string): OpenBankingConfig[] {
  const content = parse(path);
  const folder = dirname(resolve(path));
  const text = (file: string): string => readText(resolve(folder, file));
  return content.banks.map((bank) => ({
    bankId: bank.bank_id,
    name: bank.name,
    issuer: bank.issuer,
    resourceBase: bank.resource_base,
    clientId: bank.client_id,
    orgId: bank.org_id,
    softwareId: bank.software_id,
    bankOrgId: bank.bank_org_id,
    bankJwksUri: bank.bank_jwks_uri,
    vrpType: vrpTypeOf(config),
    tls: { ca: text(bank.tls.ca), cert: text(bank.tls.cert), key: text(bank.tls.key) },
    signingJwk: parseKey(text(bank.signing_jwk), bank.signing_jwk),
  }));
}

function parse(path: string): Static<typeof BanksFile> {
  let content: unknown;
  try {
    content = JSON.parse(readText(path));
  } catch (error) {
    throw new ConfigError(
      `BANKS_FILE ${path} cannot be read: ${error instanceof Error ? error.message : error}`,
    );
  }
  const [wrong] = Value.Errors(BanksFile, content);
  if (wrong !== undefined)
    throw new ConfigError(`BANKS_FILE ${path}: ${wrong.instancePath || '/'} ${wrong.message}`);
  return content as Static<typeof BanksFile>;
}

function parseKey(content: string, path: string): OpenBankingConfig['signingJwk'] {
  try {
    return JSON.parse(content) as OpenBankingConfig['signingJwk'];
  } catch {
    throw new ConfigError(`signing_jwk ${path} is not JSON`);
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    throw new ConfigError(`${path} cannot be read`);
  }
}
