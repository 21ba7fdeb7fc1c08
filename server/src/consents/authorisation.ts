import type { AccountDetails, Bank } from '../banks/bank.ts';
import type { Tx } from '../platform/db.ts';
import type { Platform } from '../platform/platform.ts';
import type { ActivationDeps } from './activation.ts';
import type { StoredControlParameters } from './consent.ts';
import type { ConsentRow } from './store.ts';

/** What the bank is asked to hold for a schedule. */
export interface ConsentPlan {
  controlParameters: StoredControlParameters;
  merchantName: string;
  /** The holder of a new wallet. */
  customerName: string;
  /** The account that pays, where the merchant named the customer by it. */
  payer: AccountDetails | null;
  /** At most 18 characters: what the customer reads on the bank statement. */
  reference: string;
}

export interface AuthorisationDeps extends ActivationDeps {
  banks: ReadonlyMap<string, Bank>;
  /** Null: no occurrence is left that could be consented to. */
  plan(tx: Tx, now: Temporal.Instant, consent: ConsentRow): Promise<ConsentPlan | null>;
  /** The account that a consent's customer pays from; null where they were not named by it. */
  payerOf(
    tx: Tx,
    consent: Pick<ConsentRow, 'merchant_id' | 'customer_id'>,
  ): Promise<AccountDetails | null>;
}

/** Where the bank sends the customer back to: one address for all merchants. */
export const callbackUrl = (platform: Platform): string =>
  `${platform.config.baseUrl}/consent/callback`;
