import Type, { type Static } from 'typebox';
import { SCOPES } from '../../platform/http/calls/access.ts';
import {
  Described,
  Id,
  Instant,
  NamedObject,
  OneOf,
  OrNull,
  Text,
} from '../../platform/http/schemas/schemas.ts';
import { formatInstant } from '../../platform/time/calendar.ts';
import { type KeyLimits, usedToday } from './key-limits.ts';
import type { ApiKey } from './keys.ts';

/** The limits of a key in responses. */
export const KeyLimitsView = NamedObject(
  'KeyLimits',
  {
    per_act_pence: Type.Integer({ description: 'The most that one act may take, in pence.' }),
    per_day_pence: Type.Integer({
      description: 'The most that all acts of a London day may take together, in pence.',
    }),
    used_today_pence: Type.Integer({
      description: 'What the acts of today have taken together, in pence.',
    }),
  },
  'What an API key may do on its own. A key and those that replace it share their limits.',
);

export const KeyView = NamedObject(
  'ApiKey',
  {
    id: Id('key', 'The key’s id, which is no secret.'),
    name: Text('The name that tells your keys apart.'),
    hint: Text('The last four characters of the key.'),
    scopes: Type.Array(OneOf(SCOPES), {
      description:
        'What the key may do. A key does no more than the member who made it may do at that moment.',
    }),
    made_by: OrNull(
      Type.String(),
      'The id of the member who made it. The key ends with their membership. Null: the operator made it.',
    ),
    created_at: Described(Instant, 'When it was made.'),
    expires_at: OrNull(
      Instant,
      'When it stops working, because another one replaces it. Null: it does not expire.',
    ),
    revoked_at: OrNull(Instant, 'When it was revoked. Null: it was not.'),
    last_used_at: OrNull(Instant, 'When it was last used, to the minute. Null: never.'),
    allowed_ips: OrNull(
      Type.Array(Type.String({ examples: ['203.0.113.0/24'] })),
      'The addresses and ranges that it may be used from. Null: anywhere.',
    ),
    limits: OrNull(
      KeyLimitsView,
      'What it may do on its own: beyond it, a member of the team is asked. Null: all that its scopes allow.',
    ),
    last_refused: OrNull(
      NamedObject(
        'RefusedUse',
        {
          at: Described(Instant, 'When it was used.'),
          address: Type.String({
            description: 'The address that it was used from.',
            examples: ['198.51.100.7'],
          }),
        },
        'A use of an API key that was refused because of its address.',
      ),
      'The last use from an address that is not allowed, which was refused. Null: there was none.',
    ),
  },
  'An API key, without its secret.',
);

export const NewKeyView = NamedObject(
  'NewApiKey',
  {
    ...KeyView.properties,
    key: Type.String({
      description: 'The key itself. Only this response has it.',
      examples: ['rk_test_…'],
    }),
  },
  'A new API key, with its secret.',
);

/** Returns the limits of a key as the API shows them. */
export const viewKeyLimits = (
  limits: KeyLimits,
  now: Temporal.Instant,
): Static<typeof KeyLimitsView> => ({
  per_act_pence: limits.perActPence,
  per_day_pence: limits.perDayPence,
  used_today_pence: usedToday(limits, now),
});

/** Returns a key as the API shows it. */
export function viewKey(key: ApiKey, now: Temporal.Instant): Static<typeof KeyView> {
  return {
    id: key.keyId,
    name: key.name,
    hint: key.hint,
    scopes: [...key.scopes],
    made_by: key.madeBy,
    created_at: formatInstant(key.createdAt),
    expires_at: formatInstant(key.expiresAt),
    revoked_at: formatInstant(key.revokedAt),
    last_used_at: formatInstant(key.lastUsedAt),
    allowed_ips: key.allowedIps === null ? null : [...key.allowedIps],
    limits: key.limits && viewKeyLimits(key.limits, now),
    last_refused:
      key.refused === null
        ? null
        : { at: formatInstant(key.refused.at), address: key.refused.address },
  };
}
