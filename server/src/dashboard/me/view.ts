import Type, { type Static } from 'typebox';
import { ROLES } from '../../merchants/role.ts';
import { REQUEST_LOG } from '../../platform/config/config.ts';
import { PERMISSIONS } from '../../platform/http/calls/access.ts';
import { Instant, OneOf, OrNull } from '../../platform/http/schemas/schemas.ts';
import { PulseView } from '../pulse-view.ts';

const Membership = Type.Object({
  id: Type.String({ description: 'The merchant.' }),
  name: Type.String(),
  role: OneOf(ROLES),
});

/** Who is signed in, for which merchant, and with which permissions. */
export const MeView = Type.Object({
  user: Type.Object({
    id: Type.String(),
    name: Type.String(),
    email: Type.String(),
    two_factor: Type.Boolean(),
  }),
  merchant: Type.Object({
    id: Type.String(),
    name: Type.String(),
    role: OneOf(ROLES),
    permissions: Type.Array(OneOf(PERMISSIONS)),
    time_zone: Type.String(),
  }),
  merchants: Type.Array(Membership, {
    description: 'Every merchant that this session may act for.',
  }),
  uses_sso: Type.Boolean({
    description: 'Whether the team’s identity provider opened the session.',
  }),
  mode: OneOf(['sandbox', 'live'] as const),
  base_url: Type.String({ description: 'Of the API, for snippets; without a trailing slash.' }),
  request_log: OneOf(REQUEST_LOG),
  version: Type.String(),
  archived_before: OrNull(Instant),
  pulse: PulseView,
});
export type MeView = Static<typeof MeView>;
