import Type, { type Static } from 'typebox';
import { Fields, OrNull } from '../../platform/http/schemas/schemas.ts';
import { PROOF_FIELDS } from '../proved.ts';

const isRequired = Type.Boolean({
  description: 'Members other than owners come in by single sign-on alone.',
});

/** How a team uses single sign-on. */
export const SsoView = Type.Object({
  provider: OrNull(
    Type.Object({ issuer: Type.String(), client_id: Type.String(), is_required: isRequired }),
  ),
  sign_in_url: Type.String({ description: 'Where the members of the team sign in with it.' }),
  redirect_uri: Type.String({ description: 'To be registered with the provider.' }),
  members: Type.Integer(),
  linked_members: Type.Integer({ description: 'Those who have signed in with it.' }),
  has_second_factor: Type.Boolean({ description: 'Whether the caller has one.' }),
});
export type SsoView = Static<typeof SsoView>;

/** A registration with a provider, and the caller's proof of identity. */
export const NewSso = Fields({
  issuer: Type.String({ minLength: 1, maxLength: 500 }),
  client_id: Type.String({ minLength: 1, maxLength: 500 }),
  client_secret: Type.Optional(Type.String({ minLength: 1, maxLength: 500 })),
  is_required: Type.Boolean(),
  ...PROOF_FIELDS,
});

/** The caller's proof of identity alone. */
export const SsoRemoval = Fields(PROOF_FIELDS);
