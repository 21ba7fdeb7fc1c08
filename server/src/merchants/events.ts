import Type from 'typebox';
import { Id, Instant } from '../platform/http/schemas/schemas.ts';
import type { EventDescriptions } from '../platform/state/events.ts';
import { MaskedAccountView } from './view.ts';

/** The events that merchants receive about their own account. */
export const MERCHANT_EVENTS = {
  'merchant.settlement_account_changed': {
    description: 'Settlements go to another account from now on; both are masked',
    data: Type.Object({
      merchant_id: Id('mer'),
      old_account: MaskedAccountView,
      new_account: MaskedAccountView,
      requested_at: Instant,
      changed_at: Instant,
    }),
  },
} satisfies EventDescriptions;
