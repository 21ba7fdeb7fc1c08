/** Something by which an answer names a customer, or a search for one. */
export interface Disclosure {
  /** Null: it is no single merchant's. */
  merchantId: string | null;
  /** What was opened: a customer, a payment, money; never what was typed. */
  objectId: string;
  to: 'shown' | 'searched';
  /** The operator's own reason, or what was shown. */
  reason: string;
  /** The console reads it again without a click: the same within ten minutes is one disclosure. */
  isPage?: true;
}
