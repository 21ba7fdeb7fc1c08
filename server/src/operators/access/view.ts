import Type, { type Static } from 'typebox';
import { Id, Instant, NamedObject, OneOf, OrNull } from '../../platform/http/schemas/schemas.ts';
import { formatInstant } from '../../platform/time/calendar.ts';
import type { Person } from '../../platform/two-people/pair.ts';
import type { OperatorKey } from './books/operator-key.ts';
import { OPERATOR_ROLES } from './books/roles.ts';
import type { ListedOperator } from './books/store.ts';
import type { NewOperatorKey } from './keys.ts';

export const OperatorView = NamedObject('Operator', {
  id: Id('opr'),
  name: Type.String({ description: 'The name under which changes are recorded.' }),
  roles: Type.Array(OneOf(OPERATOR_ROLES), { description: 'What they may do; every role reads.' }),
  keys: Type.Integer({ description: 'How many keys are valid.' }),
  keys_end_at: OrNull({ ...Instant, description: 'When the last of them ends.' }),
  email: OrNull(
    Type.String({
      description:
        'Where notices go, and by which they sign in to the console through the identity provider.',
    }),
  ),
  linked_at: OrNull(Instant),
  newcomer_until: OrNull({
    ...Instant,
    description:
      'Until when they have no say in what takes two people, because others let them in; null: they have one.',
  }),
  created_at: Instant,
  created_by: Type.String(),
  removed_at: OrNull(Instant),
  removed_by: OrNull(Type.String()),
});

export const OperatorKeyView = NamedObject('OperatorKey', {
  id: Id('key'),
  name: Type.String(),
  hint: Type.String({ description: 'The last four characters of the key.' }),
  created_at: Instant,
  revoked_at: OrNull(Instant),
  last_used_at: OrNull(Instant),
  expires_at: Instant,
  allowed_ips: OrNull(
    Type.Array(Type.String(), { description: 'From where alone it may be used; null: anywhere.' }),
  ),
});

export const NewOperatorKeyView = NamedObject('NewOperatorKey', {
  operator: OperatorView,
  key: OperatorKeyView,
  secret: Type.String({ description: 'The key itself, which is never shown again.' }),
});

/** An operator, and until when they are a newcomer. */
export type SeenOperator = ListedOperator & Pick<Person, 'newcomerUntil'>;

export function viewOperator(operator: SeenOperator): Static<typeof OperatorView> {
  return {
    id: operator.operatorId,
    name: operator.name,
    roles: operator.roles,
    keys: operator.keys,
    keys_end_at: formatInstant(operator.keysEndAt),
    email: operator.email,
    linked_at: formatInstant(operator.linkedAt),
    newcomer_until: formatInstant(operator.newcomerUntil),
    created_at: formatInstant(operator.createdAt),
    created_by: operator.createdBy,
    removed_at: formatInstant(operator.removedAt),
    removed_by: operator.removedBy,
  };
}

export function viewOperatorKey(key: OperatorKey): Static<typeof OperatorKeyView> {
  return {
    id: key.keyId,
    name: key.name,
    hint: key.hint,
    created_at: formatInstant(key.createdAt),
    revoked_at: formatInstant(key.revokedAt),
    last_used_at: formatInstant(key.lastUsedAt),
    expires_at: formatInstant(key.expiresAt),
    allowed_ips: key.allowedIps,
  };
}

export function viewNewKey({
  operator,
  key,
  secret,
}: NewOperatorKey & { operator: SeenOperator }): Static<typeof NewOperatorKeyView> {
  return { operator: viewOperator(operator), key: viewOperatorKey(key), secret };
}
