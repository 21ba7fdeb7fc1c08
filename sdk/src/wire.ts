import type {
  CreateScheduleRequest,
  Customer,
  CustomerFields,
  EventKind,
  Frequency,
  FrequencyFields,
  PhoneCustomerDetails,
  UpdateScheduleRequest,
  WebhookData,
} from './types.ts';

/** A frequency as requested: the object, or only its type. */
export type FrequencyInput = FrequencyFields | Frequency['type'];

/** The customer of a new schedule. Profile fields that you send change those of a known customer. */
export type CustomerInput =
  | CustomerFields
  | { phone: string; name?: string | null; email?: string | null; reference?: string | null };

type IdentificationField = 'type' | 'value' | 'account_number' | 'sort_code';
type IdentificationOf<T> = T extends unknown
  ? Pick<T, Extract<keyof T, IdentificationField>>
  : never;

/** Who pays, in one of three forms: docs/rules/schedules.md#customers. */
export type CustomerIdentification = IdentificationOf<Customer>;

/** What you know about a customer. `reference`: your own id. */
export type CustomerProfile = Pick<PhoneCustomerDetails, 'name' | 'email' | 'reference'>;

export interface NewSchedule extends Omit<CreateScheduleRequest, 'frequency' | 'customer'> {
  frequency: FrequencyInput;
  customer: CustomerInput;
}

/** Only the fields that are present are changed; null clears a field. */
export interface ScheduleChanges extends Omit<UpdateScheduleRequest, 'frequency'> {
  frequency?: FrequencyInput;
}

/** The kinds that an endpoint can subscribe to. */
export type SubscribedKind = Exclude<EventKind, 'endpoint.test'>;

/** The body of a webhook: `event` says which `data` it carries. */
export type WebhookEvent = {
  [K in EventKind]: { event: K; data: WebhookData[K] };
}[EventKind];
