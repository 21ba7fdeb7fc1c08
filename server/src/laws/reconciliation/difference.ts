/** A transfer of our books, named `<kind> <source>`. */
export interface Booking {
  merchantId: string;
  name: string;
  pence: number;
  /** When it was booked. */
  at?: Temporal.Instant;
}

/** What a person sent back, or sent on, from a wallet: our books identify it by wallet and amount. */
export interface ReturnedMoney {
  merchantId: string;
  issuerWalletId: string;
  pence: number;
}

/** A difference between our books and the issuer's. */
export interface Difference {
  /** Its key: the same difference has the same item in every report. */
  item: string;
  merchantId: string | null;
  date: Temporal.PlainDate;
  /** By how much the issuer has more than our books; null if that is not one number. */
  amountPence: number | null;
  what: string;
}
