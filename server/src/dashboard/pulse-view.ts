import Type, { type Static } from 'typebox';
import { Instant, OrNull } from '../platform/http/schemas/schemas.ts';

/** Small enough to poll every other second: a new `version` means that something has changed. */
export const PulseView = Type.Object({
  version: Type.String(),
  requests_version: Type.String({
    description: 'The same for the request log alone, which grows with every call of the API.',
  }),
  now: Instant,
  next_collection_at: OrNull(Instant),
});
export type PulseView = Static<typeof PulseView>;
