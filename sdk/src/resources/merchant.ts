import type { Api, CallOptions } from '../api.ts';
import type { Reply } from '../reply.ts';

interface MerchantFields {
  /** The name that customers know. */
  name: string;
  legal_name: string;
  email: string;
  website: string;
  address: string;
  /** Plain text, shown before the customer agrees. */
  terms: string;
  /** The calendar of your schedules, such as `Europe/London`. */
  time_zone: string;
  /** Where the customer goes after the decision, with `schedule_id` and `status`. */
  return_url: string | null;
  /** A new schedule starts active if the same customer already granted a consent that covers it. */
  reuse_consent: boolean;
  /** A refund waits for the next collections where your wallet holds less. */
  refunds_wait: boolean;
  /** Of the buttons that customers see, such as `#1d4ed8`; null: ours. */
  colour: string | null;
  /** The account that settlements are paid to. Only an owner can change it, in the dashboard; an API key gets 403 `forbidden`. */
  settlement_account: { name: string; sort_code: string; account_number: string };
}

/** What the operator takes of each collection, never more than its amount. */
export interface Fees {
  fixed_pence: number;
  /** Hundredths of a percent of the amount; half a penny is rounded up. */
  basis_points: number;
  from: string;
}

/** Your business details and settings. */
export interface Merchant extends MerchantFields {
  id: string;
  /** Where the logo that customers see is served; null: the name stands in its place. */
  logo_url: string | null;
  /** The future settlement account, its digits masked, and its start date; null: no change is pending. */
  pending_settlement_account: {
    name: string;
    sort_code: string;
    account_number: string;
    requested_at: string;
    takes_effect_at: string;
  } | null;
  /** Null: the operator takes none. */
  fees: Fees | null;
  /** What they change to, and when; null: no change is announced. */
  next_fees: Fees | null;
  /** Since when the operator has the merchant suspended: no new schedules, no new payments. */
  suspended_since: string | null;
  /** Since when its pay-outs are on hold: settlements wait. */
  pay_outs_held_since: string | null;
  /** When the hold ends on its own, after one owner alone has changed the settlement account; null: when somebody ends it. */
  pay_outs_held_until: string | null;
  created_at: string;
}

/** Only the fields that are present are changed. */
export type MerchantChanges = Partial<MerchantFields> & {
  /** A PNG or JPEG of at most 100 KB in base64; null takes it away. */
  logo?: string | null;
};

export class MerchantSettings {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  get(options?: CallOptions): Reply<Merchant> {
    return this.#api.send({ method: 'GET', path: '/api/v1/merchant' }, options);
  }

  update(changes: MerchantChanges, options?: CallOptions): Reply<Merchant> {
    return this.#api.send({ method: 'PUT', path: '/api/v1/merchant', body: changes }, options);
  }
}
