import type { Settlement } from '@recollect/sdk';

/** Formats a calendar day, such as `2026-03-30`. */
export function dateText(date: string): string {
  const midnight = new Date(`${date}T00:00:00Z`);
  const format = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' } as const;
  return midnight.toLocaleDateString('en-GB', { ...format, timeZone: 'UTC' });
}

/** Formats an account as one line: its holder, sort code and number. */
export function accountText(account: Settlement['destination_account']): string {
  const sortCode = account.sort_code.replace(/^(\d\d)-?(\d\d)-?(\d\d)$/, '$1-$2-$3');
  return `${account.name}, ${sortCode} ${account.account_number}`;
}
