import type { Settlement } from '@recollect/sdk';
import type { SettlementLedger } from '../../../../server/src/dashboard/settlements/view.ts';
import { countWords } from '../overview/figures.ts';

/** Formats an account as one line: its holder, sort code and number. */
export function accountText(account: Settlement['destination_account']): string {
  const sortCode = account.sort_code.replace(/^(\d\d)-?(\d\d)-?(\d\d)$/, '$1-$2-$3');
  return `${account.name}, ${sortCode} ${account.account_number}`;
}

/** Returns what a settlement's payments come to, and what it is: "Its 3 payments, less refunds, fees and what you owed". */
export function nettedPayments({
  payments,
  refunds,
  fees,
  carried,
}: Pick<SettlementLedger, 'payments' | 'refunds' | 'fees' | 'carried'>): {
  name: string;
  pence: number;
} {
  const netted = [
    refunds === 0 ? [] : ['refunds'],
    fees === 0 ? [] : ['fees'],
    carried === 0 ? [] : ['what you owed'],
  ].flat();
  const less = netted.length === 0 ? '' : `, less ${new Intl.ListFormat('en-GB').format(netted)}`;
  return {
    name: `Its ${countWords(payments.count, 'payment')}${less}`,
    pence: payments.value - refunds - fees - carried,
  };
}
