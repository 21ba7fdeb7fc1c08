import Type, { type Static } from 'typebox';
import type { Hold, Holds } from '../../merchants/holds/hold.ts';
import type { Merchant } from '../../merchants/merchant.ts';
import type { PayeeCheck } from '../../merchants/settlement-account/payee-check.ts';
import {
  PayeeCheckView,
  viewPayeeCheck,
} from '../../merchants/settlement-account/payee-check-view.ts';
import { maskAccount } from '../../merchants/settlement-account/settlement-account.ts';
import type { AccountChange } from '../../merchants/settlement-account/settlement-account-store.ts';
import type { DatedFeeTerms } from '../../merchants/terms/fees.ts';
import type { MerchantScheme } from '../../merchants/terms/scheme.ts';
import { Fees, MaskedAccountView, viewFees } from '../../merchants/view.ts';
import { Id, Instant, NamedObject, OrNull } from '../../platform/http/schemas/schemas.ts';
import { formatInstant } from '../../platform/time/calendar.ts';
import { compareInstants } from '../../platform/values/instants.ts';
import { HoldView, viewHold } from '../admin/hold-view.ts';
import { viewWaitingAccount, WaitingAccountView } from './account-view.ts';
import { SchemeView, viewScheme } from './scheme-view.ts';
import type { ListedMerchant } from './store.ts';

const listed = {
  id: Id('mer'),
  name: Type.String(),
  legal_name: Type.String(),
  email: Type.String(),
  website: Type.String(),
  suspended: OrNull({ ...HoldView, description: 'No new schedules and no payment orders.' }),
  pay_outs_held: OrNull({ ...HoldView, description: 'Settlements wait; the money stays.' }),
  created_at: Instant,
};

export const ListedMerchantView = NamedObject('ListedMerchant', listed);

export const AdminMerchantView = NamedObject('AdminMerchant', {
  ...listed,
  address: Type.String(),
  terms: Type.String(),
  time_zone: Type.String(),
  return_url: OrNull(Type.String()),
  settlement_account: MaskedAccountView,
  payee_check: OrNull({
    ...PayeeCheckView,
    description: 'What the bank said last of the name. Null: it was not asked.',
  }),
  pending_settlement_account: OrNull({
    ...WaitingAccountView,
    description: 'Where settlements are to be paid to instead.',
  }),
  scheme: { ...SchemeView, description: 'What the payment scheme knows of it.' },
  fees: Type.Array(Fees, { description: 'All there are, those to come included, oldest first.' }),
});

const holdOrNull = (hold: Hold | undefined): Static<typeof HoldView> | null =>
  hold === undefined ? null : viewHold(hold);

export function viewListedMerchant(row: ListedMerchant): Static<typeof ListedMerchantView> {
  const of = (kind: string): Static<typeof HoldView> | null => {
    const hold = row.holds.find((one) => one.kind === kind);
    return holdOrNull(hold && { ...hold, since: Temporal.Instant.from(hold.since), endsAt: null });
  };
  return {
    id: row.merchantId,
    name: row.name,
    legal_name: row.legalName,
    email: row.email,
    website: row.website,
    suspended: of('suspended'),
    pay_outs_held: of('pay_outs') ?? of('account_changed'),
    created_at: formatInstant(row.createdAt),
  };
}

export function viewAdminMerchant(
  merchant: Merchant,
  scheme: MerchantScheme,
  { pending, check }: { pending: AccountChange | null; check: PayeeCheck | null },
  holds: Holds,
  fees: readonly DatedFeeTerms[],
): Static<typeof AdminMerchantView> {
  return {
    id: merchant.merchantId,
    name: merchant.name,
    legal_name: merchant.legalName,
    email: merchant.email,
    website: merchant.website,
    suspended: holdOrNull(holds.suspended),
    pay_outs_held: holdOrNull(holds.pay_outs ?? holds.account_changed),
    created_at: formatInstant(merchant.createdAt),
    address: merchant.address,
    terms: merchant.terms,
    time_zone: merchant.timeZone,
    return_url: merchant.returnUrl,
    settlement_account: maskAccount(merchant.settlementAccount),
    payee_check: check && viewPayeeCheck(check),
    pending_settlement_account: pending === null ? null : viewWaitingAccount(pending),
    scheme: viewScheme(scheme),
    fees: fees
      .toSorted((a, b) => compareInstants(a.from, b.from))
      .flatMap((terms) => viewFees(terms) ?? []),
  };
}
