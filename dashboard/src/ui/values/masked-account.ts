/** Names an account, of which the end of its number is known, after its bank, where that is known: `Northbank ••0111`. */
export function maskedAccount(account: { account_number: string }, bankName: string): string {
  return `${bankName} ••${account.account_number.replaceAll(/\D/g, '')}`.trim();
}
