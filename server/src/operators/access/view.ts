import Type, { type Static } from 'typebox';
import { formatInstant } from '../../platform/calendar.ts';
import { Id, Instant, NamedObject, OrNull } from '../../platform/http/schemas.ts';
import type { OperatorKey } from './operator-key.ts';
import type { NewOperatorKey } from './service.ts';
import type { ListedOperator } from './store.ts';

export const OperatorView = NamedObject('Operator', {
  id: Id('opr'),
  name: Type.String({ description: 'The name under which changes are recorded.' }),
  keys: Type.Integer({ description: 'How many keys are valid.' }),
  email: OrNull(
    Type.String({
      description: 'By which they sign in to the console through the identity provider.',
    }),
  ),
  linked_at: OrNull(Instant),
  confirms_from: OrNull({
    ...Instant,
    description:
      'From when they count as the second person of a decision, because another operator gave them a way in; null: always.',
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
});

export const NewOperatorKeyView = NamedObject('NewOperatorKey', {
  operator: OperatorView,
  key: OperatorKeyView,
  secret: Type.String({ description: 'The key itself, which is never shown again.' }),
});

export function viewOperator(operator: ListedOperator): Static<typeof OperatorView> {
  return {
    id: operator.operatorId,
    name: operator.name,
    keys: operator.keys,
    email: operator.email,
    linked_at: formatInstant(operator.linkedAt),
    confirms_from: formatInstant(operator.confirmsFrom),
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
  };
}

export function viewNewKey({
  operator,
  key,
  secret,
}: NewOperatorKey): Static<typeof NewOperatorKeyView> {
  return { operator: viewOperator(operator), key: viewOperatorKey(key), secret };
}
