import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import Type, { type Static, type TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { connectionOf } from '../../banks/aggregator.ts';
import { LIMIT_PERIODS, type VrpType } from '../../banks/bank.ts';
import type { BankConnections } from '../../banks/directory.ts';
import { FUNDS_CHECKS } from '../../banks/funds-check.ts';
import type { ModulrConfig } from '../../banks/modulr/config.ts';
import { DEFAULT_SCHEME, type OpenBankingConfig } from '../../banks/open-banking/config.ts';
import type { TrueLayerConfig } from '../../banks/truelayer/config.ts';
import { type Config, ConfigError } from '../../platform/config/config.ts';
import { isPlaceholder } from '../../platform/config/rules.ts';
import { SCHEME_NAMES, SCHEMES, schemeOfType } from '../../platform/config/schemes.ts';
import { errorMessage } from '../../platform/values/thrown.ts';
import { examineModulr, ModulrEntry, type ReadText, twoSchemes } from './modulr.ts';
import { signingOf } from './signing.ts';
import { examineTrueLayer, TrueLayerEntry } from './truelayer.ts';

/** A misspelt field here would change what customers consent to without a word. */
const CLOSED = { additionalProperties: false };
const AUTHENTICATION_METHODS = ['UK.OBIE.SCANotRequired', 'UK.OBIE.SCA'] as const;
const INTERACTION_TYPES = ['OffSession', 'InSession'] as const;

/** Consents are looked at 11 months after their last use, and their customers have a month to act. */
const LEAST_UNUSED_MONTHS = 12;

/** An entry of the banks' file for a bank's own API. */
export const BankEntry = Type.Object(
  {
    kind: Type.Optional(Type.Literal('open_banking')),
    bank_id: Type.String({ pattern: '^[a-z][a-z0-9_-]{1,40}$' }),
    name: Type.String({ minLength: 1 }),
    issuer: Type.String(),
    resource_base: Type.String(),
    client_id: Type.String({ minLength: 1 }),
    org_id: Type.String({ minLength: 1 }),
    software_id: Type.String({ minLength: 1 }),
    bank_org_id: Type.String({ minLength: 1 }),
    bank_jwks_uri: Type.String(),
    tls: Type.Object({ ca: Type.String(), cert: Type.String(), key: Type.String() }, CLOSED),
    token_auth: Type.Optional(
      Type.Union([Type.Literal('private_key_jwt'), Type.Literal('tls_client_auth')]),
    ),
    funds_check: Type.Optional(Type.Enum([...FUNDS_CHECKS])),
    request_audience: Type.Optional(Type.String()),
    periods: Type.Optional(
      Type.Array(Type.Enum([...LIMIT_PERIODS]), { minItems: 1, uniqueItems: true }),
    ),
    ends_unused_after_months: Type.Optional(
      Type.Integer({ minimum: LEAST_UNUSED_MONTHS, maximum: 120 }),
    ),
    signing_jwk: Type.Optional(
      Type.String({ description: 'Path of a private PS256 key with a kid, as JWK.' }),
    ),
    signing_service: Type.Optional(
      Type.Object(
        {
          url: Type.String(),
          kid: Type.String({ minLength: 1 }),
          token_file: Type.Optional(Type.String()),
        },
        CLOSED,
      ),
    ),
    payment_scheme: Type.Optional(Type.Enum([...SCHEME_NAMES])),
    vrp_type: Type.Optional(Type.Enum(SCHEME_NAMES.map((name) => SCHEMES[name].vrpType))),
    scheme: Type.Optional(
      Type.Object(
        {
          psu_authentication_methods: Type.Optional(
            Type.Array(Type.Enum([...AUTHENTICATION_METHODS]), { minItems: 1, uniqueItems: true }),
          ),
          psu_interaction_types: Type.Optional(
            Type.Union([
              Type.Array(Type.Enum([...INTERACTION_TYPES]), { minItems: 1, uniqueItems: true }),
              Type.Null(),
            ]),
          ),
          local_instrument: Type.Optional(Type.Union([Type.Literal('UK.OBIE.FPS'), Type.Null()])),
        },
        CLOSED,
      ),
    ),
  },
  CLOSED,
);

const BanksFile = Type.Object({ banks: Type.Array(Type.Unknown(), { minItems: 1 }) }, CLOSED);
type Entry = Static<typeof BankEntry>;

/** The entries of a file whose form is right. */
interface Entries {
  direct: Entry[];
  modulr: ModulrEntry[];
  truelayer: TrueLayerEntry[];
}

/** The form of an entry, by its kind. */
const KINDS = { open_banking: BankEntry, modulr: ModulrEntry, truelayer: TrueLayerEntry } as const;

const noEntries = (): Entries => ({ direct: [], modulr: [], truelayer: [] });

const ADDRESSES = ['issuer', 'resource_base', 'bank_jwks_uri', 'request_audience'] as const;
const NAMES = ['client_id', 'org_id', 'software_id', 'bank_org_id'] as const;

/** Where there are several engines, they share what a bank allows us. */
type VrpConfig = Pick<Config, 'paymentScheme'> & Partial<Pick<Config, 'engines'>>;

/** Returns the VRP type of an entry's scheme, as the standard names it; `vrp_type` is the former name of the field. */
function vrpTypeOf(
  { payment_scheme: named, vrp_type: former }: Pick<Entry, 'payment_scheme' | 'vrp_type'>,
  config: VrpConfig,
): VrpType {
  const scheme = named ?? schemeOfType(former ?? '') ?? config.paymentScheme;
  return `UK.OBIE.VRPType.${SCHEMES[scheme].vrpType}`;
}

/**
 * Reads the bank connections of a live service (docs/guides/banks.md#the-banks-file). Paths in the file are relative to it.
 * Throws ConfigError with one line per problem.
 */
export function readBanksFile(config: VrpConfig, path: string): BankConnections {
  const { banks: direct, problems, ...behind } = examineBanksFile(config, path);
  if (problems.length > 0) throw new ConfigError(problems.join('\n'));
  return { direct, ...behind };
}

/** Returns the bank connections that could be read, and one line per problem. */
export function examineBanksFile(
  config: VrpConfig,
  path: string,
): {
  banks: OpenBankingConfig[];
  modulr: ModulrConfig[];
  truelayer: TrueLayerConfig[];
  problems: string[];
} {
  const problems: string[] = [];
  const entries = parse(path, problems);
  const connections = [...entries.modulr, ...entries.truelayer].map((one) => ({
    bankId: one.bank_id,
  }));
  const known = new Set<string>();
  const note = ({ bank_id: id }: { bank_id: string }, found: string[]): void => {
    const twice = known.has(id)
      ? ['stands in the file twice: give each bank an id of its own']
      : [];
    const within = connectionOf(connections, id)?.bankId;
    const unclear =
      within === undefined
        ? []
        : [`has a bank_id that begins like those behind ${within}: choose one that does not`];
    known.add(id);
    problems.push(
      ...[...found, ...twice, ...unclear].map((says) => `BANKS_FILE ${path}: ${id} ${says}`),
    );
  };
  const banks = entries.direct.map((entry) => {
    const found = examineEntry(path, entry);
    note(entry, found.problems);
    return { ...found.bank, vrpType: vrpTypeOf(entry, config) };
  });
  const examined = <E extends { bank_id: string }, C>(
    entry: E,
    examine: (entry: E, text: ReadText, wrong: string[]) => C,
  ): C => {
    const wrong: string[] = [];
    const made = examine(entry, textReader(path, wrong), wrong);
    note(entry, wrong);
    return made;
  };
  const processes = config.engines?.count ?? 1;
  const modulr = entries.modulr.map((one) =>
    examined(one, (...entry) => examineModulr(...entry, processes)),
  );
  const truelayer = entries.truelayer.map((one) => examined(one, examineTrueLayer));
  return { banks, modulr, truelayer, problems };
}

function parse(path: string, problems: string[]): Entries {
  const entries = noEntries();
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    const why = errorMessage(error).replaceAll('\n', ' ');
    problems.push(`BANKS_FILE ${path} cannot be read: ${why}`);
    return entries;
  }
  const isFormed = (schema: TSchema, value: unknown, place: string): boolean => {
    const wrong = Value.Errors(schema, value).filter(
      ({ keyword }) => keyword !== 'additionalProperties', // each of them is named besides
    );
    for (const { keyword, instancePath, message } of wrong) {
      const says = keyword === 'boolean' ? 'is no field of it' : message;
      problems.push(`BANKS_FILE ${path}: ${place + instancePath || '/'} ${says}`);
    }
    return wrong.length === 0;
  };
  if (!isFormed(BanksFile, content, '')) return entries;
  const { banks } = content as Static<typeof BanksFile>;
  for (const [n, entry] of banks.entries()) {
    const place = `/banks/${n}`;
    const { kind } = (entry ?? {}) as { kind?: unknown };
    const schema = KINDS[kind === 'modulr' || kind === 'truelayer' ? kind : 'open_banking'];
    if (!isFormed(schema, entry, place)) continue;
    if (kind === 'modulr') entries.modulr.push(entry as ModulrEntry);
    else if (kind === 'truelayer') entries.truelayer.push(entry as TrueLayerEntry);
    else entries.direct.push(entry as Entry);
  }
  return problems.length === 0 ? entries : noEntries();
}

function examineEntry(
  path: string,
  entry: Entry,
): { bank: Omit<OpenBankingConfig, 'vrpType'>; problems: string[] } {
  const problems: string[] = [];
  for (const field of ADDRESSES)
    if (entry[field] !== undefined && URL.parse(entry[field])?.protocol !== 'https:')
      problems.push(`has no good ${field}: write an address that begins with https://`);
  const oldVersion = /\/(v[123](\.\d+)*)(\/|$)/.exec(entry.resource_base)?.[1];
  if (oldVersion !== undefined)
    problems.push(
      `has a resource_base of ${oldVersion}: write the address of version 4, the only one that is spoken`,
    );
  problems.push(...twoSchemes(entry));
  for (const field of NAMES)
    if (isPlaceholder(entry[field]))
      problems.push(`has a placeholder as ${field}: write the real value`);
  const text = textReader(path, problems);
  const { ca, cert, key } = entry.tls;
  const bank = {
    bankId: entry.bank_id,
    name: entry.name,
    issuer: entry.issuer,
    resourceBase: entry.resource_base,
    clientId: entry.client_id,
    orgId: entry.org_id,
    softwareId: entry.software_id,
    bankOrgId: entry.bank_org_id,
    bankJwksUri: entry.bank_jwks_uri,
    tls: { ca: text(ca, 'tls.ca'), cert: text(cert, 'tls.cert'), key: text(key, 'tls.key') },
    ...(entry.token_auth === undefined ? {} : { tokenAuth: entry.token_auth }),
    ...(entry.funds_check === undefined ? {} : { fundsCheck: entry.funds_check }),
    ...(entry.periods === undefined ? {} : { periods: entry.periods }),
    ...(entry.request_audience === undefined ? {} : { requestAudience: entry.request_audience }),
    ...(entry.ends_unused_after_months === undefined
      ? {}
      : { endsUnusedAfterMonths: entry.ends_unused_after_months }),
    ...signingOf(entry, text, problems),
    ...schemeOf(entry, problems),
  };
  return { bank, problems };
}

/** Returns a function that reads a file which the banks' file names, and adds to `problems` if it cannot. */
function textReader(path: string, problems: string[]): ReadText {
  return (file, field) => {
    try {
      return readFileSync(resolve(dirname(resolve(path)), file), 'utf8');
    } catch {
      problems.push(`names a file that cannot be read as ${field}: ${file} cannot be read`);
      return '';
    }
  };
}

/** Returns what the agreement with the bank fixes. We collect while no customer is there: its lists must allow that. */
function schemeOf({ scheme }: Entry, problems: string[]): Pick<OpenBankingConfig, 'scheme'> {
  if (scheme === undefined) return {};
  const {
    psu_authentication_methods: methods = DEFAULT_SCHEME.psuAuthenticationMethods,
    psu_interaction_types: types = DEFAULT_SCHEME.psuInteractionTypes,
    local_instrument: localInstrument = DEFAULT_SCHEME.localInstrument,
  } = scheme;
  if (!methods.includes('UK.OBIE.SCANotRequired'))
    problems.push(
      'has scheme.psu_authentication_methods without UK.OBIE.SCANotRequired: add it, because nobody authenticates each collection',
    );
  if (types !== null && !types.includes('OffSession'))
    problems.push(
      'has scheme.psu_interaction_types without OffSession: add it, because the customer is not there when we collect',
    );
  return {
    scheme: { psuAuthenticationMethods: methods, psuInteractionTypes: types, localInstrument },
  };
}
