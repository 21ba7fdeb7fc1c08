import Type, { type Static } from 'typebox';
import { NamedObject, OneOf, OrNull } from '../../platform/http/schemas/schemas.ts';
import { FINDABLE } from './store.ts';

/** What a search over all merchants found. */
export const FoundView = NamedObject('Found', {
  kind: OneOf(['merchant', 'user', ...Object.values(FINDABLE).map(({ kind }) => kind)]),
  id: Type.String(),
  title: Type.String({ description: 'The name, or the name of its merchant.' }),
  merchant_id: OrNull(Type.String()),
});
export type FoundView = Static<typeof FoundView>;
