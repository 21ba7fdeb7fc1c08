import { KeyValue } from '../../ui/key-value.tsx';

interface Account {
  name: string;
  sort_code: string;
  account_number: string;
}

/** Formats a sort code: `123456` as `12-34-56`. A masked one stays unchanged. */
function formatSortCode(digits: string): string {
  return digits.replace(/^(\d{2})(\d{2})(\d{2})$/, '$1-$2-$3');
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
