import Type, { type Static } from 'typebox';
import { SCOPES } from '../../platform/http/calls/access.ts';
import { Fields, OneOf, OrNull } from '../../platform/http/schemas/schemas.ts';
import { rangeErrors } from './address-range.ts';
import type { RequestedLimits } from './key-grant.ts';

const MAX_RANGES = 50;

/** The addresses that a key may be used from, in a body. */
export const AllowedIps = OrNull(
  Type.Array(Type.String({ maxLength: 50, examples: ['203.0.113.0/24'] }), {
    maxItems: MAX_RANGES,
  }),
  `The IPv4 and IPv6 addresses and CIDR ranges that the key may be used from, at most ${MAX_RANGES}. Null or empty: anywhere.`,
);

const MOST_A_DAY = 10_000_000_000;
const pence = (description: string) =>
  Type.Integer({ minimum: 0, maximum: MOST_A_DAY, description, examples: [10_000] });

/** What a key may do on its own, in a body. */
export const KeyLimitsInput = OrNull(
  Fields(
    {
      per_act_pence: pence('The most that one act may take, in pence.'),
      per_day_pence: pence(
        'The most that all acts of a London day may take together, in pence. At least `per_act_pence`.',
      ),
    },
    'What the key may do on its own.',
  ),
  'What the key may do on its own, for a key that an agent gets: beyond it, an act waits until a member of the ' +
    'team approves it ' +
    'in the dashboard. Null: all that its scopes allow.',
);

/** The name of a new key, in a body. */
export const KeyName = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'A name that tells your keys apart.',
});

/** Returns the schema of the scopes of a new key. */
export const Scopes = (description: string) =>
  Type.Array(OneOf(SCOPES), { minItems: 1, uniqueItems: true, description });

/** Checks the ranges of addresses and the limits in a raw body. */
export function keyErrors(body: unknown): Record<string, string> {
  const { allowed_ips: texts, limits } = Object(body) as Record<string, unknown>;
  const { per_act_pence: act, per_day_pence: day } = Object(limits) as Record<string, unknown>;
  return {
    ...(Array.isArray(texts) ? rangeErrors(texts.slice(0, MAX_RANGES)) : {}),
    ...(typeof act === 'number' && typeof day === 'number' && day < act
      ? { 'limits.per_day_pence': 'must be at least per_act_pence' }
      : {}),
  };
}

/** Returns the limits in a body as they are kept. */
export const requestedLimits = (body: Static<typeof KeyLimitsInput>): RequestedLimits | null =>
  body && { perActPence: body.per_act_pence, perDayPence: body.per_day_pence };
