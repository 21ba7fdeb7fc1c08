import Type, { type Static } from 'typebox';
import {
  RELEASE_CHANNELS,
  TRUELAYER_HOSTS,
  type TrueLayerConfig,
} from '../../banks/truelayer/config.ts';
import { readRequestKey } from '../../banks/truelayer/signature.ts';
import { isPlaceholder } from '../../platform/config/rules.ts';
import type { ReadText } from './modulr.ts';

/** The newer pages of TrueLayer's name what a commercial mandate is for; its client has `government` in place of the last. */
const USE_CASES = [
  'charity',
  'financial_services',
  'utilities',
  'government',
  'government_payments',
] as const;
const DEFAULT_SCOPE = 'payments recurring_payments:commercial';

/** An entry of the banks' file for TrueLayer, through which customers of many banks pay. */
export const TrueLayerEntry = Type.Object(
  {
    kind: Type.Literal('truelayer'),
    bank_id: Type.String({ pattern: '^[a-z][a-z0-9_-]{1,20}$' }),
    environment: Type.Enum(['live', 'sandbox']),
    client_id: Type.String({ minLength: 1 }),
    client_secret_file: Type.String({ minLength: 1 }),
    signing_key_file: Type.String({ minLength: 1 }),
    signing_kid: Type.String({ minLength: 1 }),
    use_case: Type.Enum([...USE_CASES]),
    own_licence: Type.Optional(Type.Boolean()),
    scope: Type.Optional(Type.String({ pattern: '^[a-z_:]+( [a-z_:]+)*$' })),
    release_channel: Type.Optional(Type.Enum([...RELEASE_CHANNELS])),
    funds_confirmation: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);
export type TrueLayerEntry = Static<typeof TrueLayerEntry>;

/** Returns the connection of an entry; adds what is wrong with it to `problems`. */
export function examineTrueLayer(
  entry: TrueLayerEntry,
  text: ReadText,
  problems: string[],
): TrueLayerConfig {
  for (const field of ['client_id', 'signing_kid'] as const)
    if (isPlaceholder(entry[field]))
      problems.push(`has a placeholder as ${field}: write the real value`);
  const clientSecret = text(entry.client_secret_file, 'client_secret_file').trim();
  if (clientSecret === '')
    problems.push('has no secret in client_secret_file: write the secret of the client');
  const signingKey = text(entry.signing_key_file, 'signing_key_file');
  if (!isRequestKey(signingKey))
    problems.push(
      'has no key in signing_key_file: write a private key on the curve P-521 in PEM, as for ES512',
    );
  return {
    bankId: entry.bank_id,
    hosts: TRUELAYER_HOSTS[entry.environment],
    clientId: entry.client_id,
    clientSecret,
    scope: entry.scope ?? DEFAULT_SCOPE,
    signingKey,
    signingKid: entry.signing_kid,
    useCase: entry.use_case,
    hasOwnLicence: entry.own_licence ?? false,
    releaseChannel: entry.release_channel ?? 'general_availability',
    confirmsFunds: entry.funds_confirmation ?? true,
  };
}

function isRequestKey(pem: string): boolean {
  try {
    return readRequestKey('', pem) !== null;
  } catch {
    return false;
  }
}
