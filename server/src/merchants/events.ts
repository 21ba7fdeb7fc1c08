import Type from 'typebox';
import { Described, Id, Instant } from '../platform/http/schemas/schemas.ts';
import type { EventDescriptions } from '../platform/state/events.ts';
import { MaskedAccountView } from './view.ts';

/** The events that merchants receive about their own account. */
export const MERCHANT_EVENTS = {
  'merchant.settlement_account_changed': {
    description: 'settlements go to another account from now on',
    data: Type.Object({
      merchant_id: Id('mer', 'The merchant, which is you.'),
      old_account: Described(MaskedAccountView, 'The account until now, masked.'),
      new_account: Described(MaskedAccountView, 'The account from now on, masked.'),
      requested_at: Described(Instant, 'When the change was asked for.'),
      changed_at: Described(Instant, 'When it took effect.'),
    }),
  },
} satisfies EventDescriptions;
