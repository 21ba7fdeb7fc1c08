import { KeyValue } from '../../../ui/data/key-value.tsx';
import { formatSortCode } from '../../../ui/fields/sort-code.ts';

interface Account {
  name: string;
  sort_code: string;
  account_number: string;
}

export function AccountFacts({ account }: { account: Account }) {
  return (
    <KeyValue
      items={[
        ['Account holder', account.name],
        ['Sort code', formatSortCode(account.sort_code)],
        ['Account number', account.account_number],
      ]}
    />
  );
}
