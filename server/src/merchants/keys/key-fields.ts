import Type from 'typebox';
import { SCOPES } from '../../platform/http/calls/access.ts';
import { OneOf, OrNull } from '../../platform/http/schemas/schemas.ts';
import { rangeErrors } from './address-range.ts';

const MAX_RANGES = 50;

/** The addresses that a key may be used from, in a body. */
export const AllowedIps = OrNull(
  Type.Array(Type.String({ maxLength: 50, examples: ['203.0.113.0/24'] }), {
    maxItems: MAX_RANGES,
  }),
  `The IPv4 and IPv6 addresses and CIDR ranges that the key may be used from, at most ${MAX_RANGES}. Null or empty: anywhere.`,
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

/** Checks the ranges of addresses in a raw body. */
export function addressErrors(body: unknown): Record<string, string> {
  const { allowed_ips: texts } = Object(body) as { allowed_ips?: unknown };
  return Array.isArray(texts) ? rangeErrors(texts.slice(0, MAX_RANGES)) : {};
}
