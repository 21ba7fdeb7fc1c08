import Type, { type Static } from 'typebox';
import { PayeeCheckView } from '../../merchants/settlement-account/payee-check-view.ts';
import { MaskedAccountView } from '../../merchants/view.ts';
import { Instant, OneOf, OrNull } from '../../platform/http/schemas/schemas.ts';

const Who = Type.Object({
  /** `operator` is the person who runs the service. */
  type: OneOf(['member', 'operator', 'service'] as const),
  name: Type.String(),
});

const Change = Type.Object({
  id: Type.String(),
  status: OneOf(['pending', 'in_force', 'taken_back'] as const),
  old_account: MaskedAccountView,
  new_account: MaskedAccountView,
  requested_by: Who,
  requested_at: Instant,
  takes_effect_at: Instant,
  payee_check: OrNull(PayeeCheckView),
  ended_by: OrNull(Who),
  ended_at: OrNull(Instant),
});

const FullAccount = Type.Object(
  { name: Type.String(), sort_code: Type.String(), account_number: Type.String() },
  {
    description:
      'The new account with all its digits, for owners, who confirm it or take it back; null for the others.',
  },
);

/** Changes of the settlement account, for the team to see; the digits are masked, except for owners who can decide on them. */
export const AccountChangesView = Type.Object({
  pending: OrNull(
    Type.Object({
      ...Change.properties,
      full_account: OrNull(FullAccount),
      waits_for_second: Type.Boolean({
        description: 'An operator asked for it, and it lapses unless a second one agrees.',
      }),
      why_not_confirm: OrNull(
        Type.String({ description: 'Why the caller cannot confirm it; null: they can.' }),
      ),
    }),
  ),
  hold: OrNull(
    Type.Object(
      {
        since: Instant,
        ends_at: OrNull(Instant),
        change_id: OrNull(Type.String()),
        full_account: OrNull(FullAccount),
        why_not_release: OrNull(
          Type.String({
            description: 'Why the caller cannot release the pay-outs; null: they can.',
          }),
        ),
      },
      {
        description:
          'Pay-outs wait after one owner alone has changed the account, until `ends_at` or until a second owner confirms it.',
      },
    ),
  ),
  changes: Type.Array(Change, { description: 'The last ten, the newest first.' }),
  has_second_factor: Type.Boolean({ description: 'Whether the caller is asked for a code too.' }),
});
export type AccountChangesView = Static<typeof AccountChangesView>;
