import { Badge } from '../../../ui/badge.tsx';
import type { Column } from '../../../ui/data/data-table.tsx';
import { When } from '../../../ui/values/when.tsx';
import type { ListedMerchant } from '../../api/merchants.ts';

/** The holds of a merchant, or that it works as usual. */
export function MerchantState({ merchant }: { merchant: ListedMerchant }) {
  const { suspended, pay_outs_held: held } = merchant;
  if (suspended === null && held === null) return <Badge tone="success">Active</Badge>;
  return (
    <span className="badges">
      {suspended === null ? null : <Badge tone="danger">Suspended</Badge>}
      {held === null ? null : <Badge tone="warning">Pay-outs held</Badge>}
    </span>
  );
}

/** The columns of a list of merchants. */
export const MERCHANT_COLUMNS: readonly Column<ListedMerchant>[] = [
  { header: 'Merchant', cell: ({ name }) => name },
  { header: 'State', cell: (merchant) => <MerchantState merchant={merchant} /> },
  { header: 'Email', cell: ({ email }) => email },
  { header: 'Since', cell: ({ created_at }) => <When at={created_at} as="date" /> },
];
