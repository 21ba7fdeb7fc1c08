import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import Type, { type TSchema } from 'typebox';
import { Fields } from '../../../platform/http/schemas/schemas.ts';
import { LONGEST_PASSWORD } from '../settings.ts';

/** A browser's response when a passkey is created, and when one is used. The library checks the contents. */
export type Attestation = RegistrationResponseJSON;
export type Assertion = AuthenticationResponseJSON;

const bytes = Type.String({ maxLength: 65_536 });

const answer = (response: Record<string, TSchema>) =>
  Type.Object({
    id: Type.String({ maxLength: 1400 }), // the longest credential id has 1023 bytes
    rawId: Type.String({ maxLength: 1400 }),
    type: Type.Literal('public-key'),
    clientExtensionResults: Type.Object({}),
    response: Type.Object(response),
  });

const name = Type.String({ minLength: 1, maxLength: 100 });
const password = Type.String({ minLength: 1, maxLength: LONGEST_PASSWORD });

export const PasskeyOptions = Fields({
  password,
  code: Type.Optional(Type.String({ maxLength: 64 })),
});

export const NewPasskey = Fields({
  response: Type.Unsafe<Attestation>(
    answer({
      clientDataJSON: bytes,
      attestationObject: bytes,
      transports: Type.Optional(Type.Array(Type.String({ maxLength: 20 }), { maxItems: 10 })),
    }),
  ),
  name: Type.Optional(name),
});

export const UsedPasskey = Fields({
  response: Type.Unsafe<Assertion>(
    answer({
      clientDataJSON: bytes,
      authenticatorData: bytes,
      signature: bytes,
      userHandle: Type.Optional(Type.String({ maxLength: 255 })),
    }),
  ),
});

const id = Type.String({ maxLength: 1400 });
export const DeletedPasskey = Fields({ id, password });
export const RenamedPasskey = Fields({ id, name });
