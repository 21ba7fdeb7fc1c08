import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { BankDefect, BankUnavailable } from '../../banks/bank.ts';
import { type BackChannel, backChannel } from '../../banks/open-banking/back-channel.ts';
import { oauthClient } from '../../banks/open-banking/client.ts';
import type { OpenBankingConfig, TokenAuth } from '../../banks/open-banking/config.ts';
import {
  differences,
  type Existing,
  RegistrationFailed,
  readDiscovery,
  readStatement,
  register,
  registrationRequest,
  unregister,
} from '../../banks/open-banking/registration.ts';
import { signingKeyOf } from '../../banks/open-banking/signing-key.ts';
import { ConfigError } from '../../platform/config/config.ts';
import { realNow } from '../../platform/time/clock.ts';
import { certificateFindings } from './certificates.ts';
import { type BanksFileEdit, editBanksFile, type FileEntry, pathInFile } from './edit.ts';

/** Registering with a bank: Dynamic Client Registration, and the bank's entry in the banks' file. */

/** What an operator gives. For a bank that is in the file, whatever is absent is taken from its entry. */
export interface RegisterOptions {
  file: string;
  /** The bank's issuer, or the address of its discovery document. */
  discovery?: string;
  /** A file with the software statement assertion. */
  statement?: string;
  redirectUris: string[];
  title?: string;
  resourceBase?: string;
  bankOrgId?: string;
  bankJwksUri?: string;
  ca?: string;
  cert?: string;
  key?: string;
  signingKey?: string;
  /** The address of a program that signs, instead of a key file, and the id of its key. */
  signingService?: string;
  signingKid?: string;
  tokenAuth?: TokenAuth;
  /** Allows the customer's pages of the bank to be http on this machine. */
  sandbox: boolean;
}

/** What was done, in one line, and what the operator should look at. */
export interface Outcome {
  line: string;
  clientId: string;
  isChanged: boolean;
  warnings: string[];
}

/** Registers with a bank that is not in the file yet, and adds it. Does nothing for one that is registered. */
export function registerBank(bankId: string, options: RegisterOptions): Promise<Outcome> {
  return editBanksFile(options.file, async (edit) => {
    const before = edit.entry(bankId);
    if (typeof before?.client_id === 'string')
      return {
        line: `${bankId} is registered already, as ${before.client_id}; nothing was done (--update changes it)`,
        clientId: before.client_id,
        isChanged: false,
        warnings: [],
      };
    return send(edit, draftOf(bankId, before, options), options, null);
  });
}

/** Changes our registration with a bank that is in the file, and its entry. */
export function updateBank(bankId: string, options: RegisterOptions): Promise<Outcome> {
  return editBanksFile(options.file, async (edit) => {
    const before = required(edit, bankId, options.file);
    const token = await tokenOf(edit.examine(before), options.sandbox);
    const existing = { clientId: String(before.client_id), token };
    return send(edit, draftOf(bankId, before, options), options, existing);
  });
}

/**
 * Deletes our registration with a bank, and its entry. Refuses while consents are granted there: their payments would wait for
 * the bank for ever.
 */
export function deleteBank(
  bankId: string,
  options: Pick<RegisterOptions, 'file' | 'sandbox'>,
  consentsGranted: (bankId: string) => Promise<number>,
): Promise<Outcome> {
  return editBanksFile(options.file, async (edit) => {
    const before = required(edit, bankId, options.file);
    const granted = await consentsGranted(bankId);
    if (granted > 0)
      throw new ConfigError(
        `${bankId} has ${granted} granted consents, whose payments would wait for it: end or replace them first`,
      );
    const config = edit.examine(before);
    const clientId = config.clientId;
    await withChannel(config, async (channel) => {
      const { registration_endpoint: endpoint } = await readDiscovery(channel, config.issuer);
      const token = await tokenOf(config, options.sandbox);
      await unregister(channel, endpointOf(endpoint, bankId), { clientId, token });
    });
    edit.remove(bankId);
    return {
      line: `${bankId} has deleted ${clientId}; it is taken out of ${options.file}. Restart the processes`,
      clientId,
      isChanged: true,
      warnings: [],
    };
  });
}

/** Returns the subject of a certificate as RFC 4514 writes it: the last part first. */
function subjectOf(pem: string): string {
  return new X509Certificate(pem).subject.split('\n').reverse().join(',');
}

async function send(
  edit: BanksFileEdit,
  draft: FileEntry,
  options: RegisterOptions,
  existing: Existing | null,
): Promise<Outcome> {
  const config = edit.examine(draft);
  const now = realNow();
  const problems = certificateFindings(options.file, config, now).filter(
    ({ level }) => level === 'problem',
  );
  if (problems.length > 0) throw new ConfigError(problems.map(({ says }) => says).join('\n'));
  const statement = statementText(options.statement);
  const { org_id, software_id } = readStatement(statement);
  return withChannel(config, async (channel) => {
    const found = await readDiscovery(channel, config.issuer);
    const endpoint = endpointOf(found.registration_endpoint, config.bankId);
    const wanted = {
      statement,
      bankOrgId: config.bankOrgId,
      redirectUris: options.redirectUris,
      tokenAuth: config.tokenAuth ?? 'private_key_jwt',
      subject: subjectOf(config.tls.cert),
      now,
    };
    const jws = await registrationRequest(signingKeyOf(config), wanted);
    const got = await register(channel, endpoint, jws, existing).catch(unknownOutcome);
    const entry = {
      ...draft,
      issuer: found.issuer,
      bank_jwks_uri: options.bankJwksUri ?? draft.stated_jwks_uri ?? found.jwks_uri,
      client_id: got.client_id,
      org_id,
      software_id,
    };
    delete (entry as Record<string, unknown>).stated_jwks_uri;
    save(edit, entry);
    const did = existing === null ? 'registered us' : 'changed our registration';
    return {
      line: `${config.bankId} ${did} as ${got.client_id}; written to ${options.file}`,
      clientId: got.client_id,
      isChanged: true,
      warnings: differences(wanted, got),
    };
  });
}

/** Builds the bank's entry as it is before the bank has answered: what is not known yet stands in for itself. */
function draftOf(bankId: string, before: FileEntry | null, options: RegisterOptions): FileEntry {
  const { file } = options;
  const tls = (before?.tls ?? {}) as Record<string, unknown>;
  const inFile = (given: string | undefined, old: unknown): unknown =>
    given === undefined ? old : pathInFile(file, given);
  const issuer = (options.discovery ?? before?.issuer) as string | undefined;
  const entry: Record<string, unknown> = {
    ...before,
    bank_id: bankId,
    name: options.title ?? before?.name ?? bankId,
    issuer: issuer?.replace(/\/+$/, '').replace(/\/\.well-known\/openid-configuration$/, ''),
    resource_base: options.resourceBase ?? before?.resource_base,
    client_id: before?.client_id ?? 'not-registered-yet',
    org_id: before?.org_id ?? 'from-the-statement',
    software_id: before?.software_id ?? 'from-the-statement',
    bank_org_id: options.bankOrgId ?? before?.bank_org_id,
    bank_jwks_uri: options.bankJwksUri ?? before?.bank_jwks_uri ?? issuer,
    tls: {
      ca: inFile(options.ca, tls.ca),
      cert: inFile(options.cert, tls.cert),
      key: inFile(options.key, tls.key),
    },
    ...signingOf(before, options),
    ...(options.tokenAuth === undefined ? {} : { token_auth: options.tokenAuth }),
  };
  const absent = ABSENT.filter(
    ([path]) =>
      valueAt(entry, path) === undefined &&
      !(path === 'signing_jwk' && entry.signing_service !== undefined),
  );
  if (absent.length > 0)
    throw new ConfigError(absent.map(([, option]) => `give ${option}`).join('\n'));
  if (options.redirectUris.length === 0)
    throw new ConfigError('give --redirect-uri, or set BASE_URL');
  return entry as FileEntry;
}

/** Returns the entry's key: a file, or a signing service. What is given replaces the other. */
function signingOf(before: FileEntry | null, options: RegisterOptions): Record<string, unknown> {
  const { signingKey, signingService: url, signingKid: kid } = options;
  if (url !== undefined) return { signing_jwk: undefined, signing_service: { url, kid } };
  if (signingKey !== undefined)
    return { signing_jwk: pathInFile(options.file, signingKey), signing_service: undefined };
  return { signing_jwk: before?.signing_jwk, signing_service: before?.signing_service };
}

const ABSENT = [
  ['issuer', '--discovery, the address of the bank’s authorisation server'],
  [
    'resource_base',
    '--resource-base, the address of its payment resources up to and including /pisp',
  ],
  ['bank_org_id', '--bank-org-id, the bank’s organisation in the directory'],
  ['tls.ca', '--ca, the authority of the bank’s certificates in PEM'],
  ['tls.cert', '--cert, our transport certificate in PEM'],
  ['tls.key', '--key, the private key of our transport certificate in PEM'],
  ['signing_jwk', '--signing-key, our private signing key as a JWK, or --signing-service'],
] as const;

const valueAt = (entry: object, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>(
      (inner, name) => (inner as Record<string, unknown> | undefined)?.[name],
      entry,
    );

function required(edit: BanksFileEdit, bankId: string, file: string): FileEntry {
  const before = edit.entry(bankId);
  if (before === null) throw new ConfigError(`${file} has no bank ${bankId}`);
  return before;
}

function endpointOf(endpoint: string | undefined, bankId: string): string {
  if (endpoint !== undefined) return endpoint;
  throw new RegistrationFailed(
    'no_endpoint',
    `${bankId} names no registration_endpoint: register on its developer portal, and write client_id into the file by hand`,
  );
}

function statementText(path: string | undefined): string {
  if (path === undefined)
    throw new ConfigError('give --statement, a file with the software statement of the directory');
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    throw new ConfigError(`--statement ${path} cannot be read`);
  }
}

async function withChannel<T>(
  config: OpenBankingConfig,
  work: (channel: BackChannel) => Promise<T>,
): Promise<T> {
  const channel = backChannel(config);
  try {
    return await work(channel);
  } finally {
    await channel.close();
  }
}

function tokenOf(config: OpenBankingConfig, sandbox: boolean): Promise<string> {
  return withChannel(config, async (channel) => {
    const oauth = await oauthClient({ ...config, sandbox }, channel, realNow);
    return oauth.ownToken().catch((error: unknown) => {
      if (!(error instanceof BankDefect)) throw error;
      throw new RegistrationFailed(
        'no_token',
        `${config.bankId} gives ${config.clientId} no token: ${error.message}. Is it still registered, with these keys?`,
      );
    });
  });
}

/** Says what to do when nobody knows whether the bank registered us. */
function unknownOutcome(error: unknown): never {
  if (!(error instanceof BankUnavailable) || error.notSent) throw error;
  throw new RegistrationFailed(
    'outcome_unknown',
    `${error.message}: the bank may have registered us. Ask it before you register again`,
  );
}

/** A registration that cannot be written down must not be lost. */
function save(edit: BanksFileEdit, entry: FileEntry): void {
  try {
    edit.put(entry);
  } catch (error) {
    throw new RegistrationFailed(
      'not_written',
      `the bank registered us as ${String(entry.client_id)}, but the file could not be written: ${String(error)}`,
    );
  }
}
