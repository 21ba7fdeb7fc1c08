import { type Api, type CallOptions, segment } from '../api.ts';
import type { ListQuery } from '../paging.ts';
import type { Reply } from '../reply.ts';
import type {
  NewPayment,
  Occurrence,
  OccurrenceChange,
  Payment,
  Schedule,
  ScheduleQuery,
} from '../types.ts';
import type { NewSchedule, ScheduleChanges } from '../wire.ts';
import { type ImportOptions, type ImportResult, importFile } from './import.ts';
import { type ListPromise, listOf } from './list.ts';

const at = (id: string): string => `/api/v1/schedules/${segment(id)}`;

export class Schedules {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /** Creates a schedule; share its `consent_url` with the customer. */
  create(schedule: NewSchedule, options?: CallOptions): Reply<Schedule> {
    return this.#api.send({ method: 'POST', path: '/api/v1/schedules', body: schedule }, options);
  }

  /**
   * Imports a CSV file, in pieces: a schedule for each line that is valid and was not imported before. Columns:
   * docs/rules/import.md. Throws RangeError for more than 10,000 lines or 5 MB. A file may be imported again.
   */
  import(file: string | Uint8Array, options: ImportOptions = {}): Promise<ImportResult> {
    return importFile(this.#api, file, options);
  }

  get(id: string, options?: CallOptions): Reply<Schedule> {
    return this.#api.send({ method: 'GET', path: at(id) }, options);
  }

  /** Changes only the fields sent. Changes beyond the customer's consent wait for a new one: see `consented`. */
  update(id: string, changes: ScheduleChanges, options?: CallOptions): Reply<Schedule> {
    return this.#api.send({ method: 'PUT', path: at(id), body: changes }, options);
  }

  /**
   * Makes a new link, `consent_url`, at which the customer agrees to the same terms from another account. A consent in force
   * stays in force until they have. Throws 409 `schedule_cancelled`, `schedule_ended` or `request_in_progress`.
   */
  requestAnotherAccount(id: string, options?: CallOptions): Reply<Schedule> {
    return this.#api.send({ method: 'POST', path: `${at(id)}/consent` }, options);
  }

  list(query?: ScheduleQuery, options?: CallOptions): ListPromise<Schedule> {
    return listOf(this.#api, '/api/v1/schedules', query, options);
  }

  /** Lists a customer's schedules. `customerId`: the `id` of a schedule's `customer`. */
  listByCustomer(
    customerId: string,
    query?: ListQuery,
    options?: CallOptions,
  ): ListPromise<Schedule> {
    return listOf(this.#api, `/api/v1/customers/${segment(customerId)}/schedules`, query, options);
  }

  payments(id: string, query?: ListQuery, options?: CallOptions): ListPromise<Payment> {
    return listOf(this.#api, `${at(id)}/payments`, query, options);
  }

  /**
   * Collects once besides the occurrences, within the limits that the customer agreed to. Throws 409 `limit_exceeded`, whose
   * `details` say what is `available` (in pence) and `available_from` when, 409 `consent_required`, `schedule_paused` or
   * `schedule_cancelled`.
   */
  collect(id: string, payment: NewPayment, options?: CallOptions): Reply<Payment> {
    return this.#api.send({ method: 'POST', path: `${at(id)}/payments`, body: payment }, options);
  }

  /** Lists upcoming occurrences: 10 by default, at most 100. */
  upcoming(
    id: string,
    query?: { limit?: number },
    options?: CallOptions,
  ): Reply<{ data: Occurrence[] }> {
    return this.#api.send(
      { method: 'GET', path: `${at(id)}/upcoming`, query: query ?? {} },
      options,
    );
  }

  /**
   * Sets the amount of an upcoming occurrence, or skips it. Throws 409 `occurrence_passed` once it has fallen due, and 409
   * `limit_exceeded` if the customer's limits have no room for the amount.
   */
  changeUpcoming(
    id: string,
    dueDate: string,
    change: OccurrenceChange,
    options?: CallOptions,
  ): Reply<Occurrence> {
    const path = `${at(id)}/upcoming/${segment(dueDate)}`;
    return this.#api.send({ method: 'PUT', path, body: change }, options);
  }

  /** Takes back what was set for an upcoming occurrence. */
  restoreUpcoming(id: string, dueDate: string, options?: CallOptions): Reply<Occurrence> {
    const path = `${at(id)}/upcoming/${segment(dueDate)}`;
    return this.#api.send({ method: 'DELETE', path }, options);
  }

  /** Pauses a schedule. Occurrences that fall due meanwhile are skipped. */
  pause(id: string, options?: CallOptions): Reply<Schedule> {
    return this.update(id, { status: 'paused' }, options);
  }

  /** Pauses a schedule until `resumeAt`, ISO 8601 with an offset or Z: then it resumes automatically. */
  pauseUntil(id: string, resumeAt: string, options?: CallOptions): Reply<Schedule> {
    return this.update(id, { status: 'paused', resume_at: resumeAt }, options);
  }

  /** Resumes a schedule. Throws 409 `consent_required` if no consent is in force. */
  resume(id: string, options?: CallOptions): Reply<Schedule> {
    return this.update(id, { status: 'active' }, options);
  }

  /** Cancels a schedule permanently and revokes the customer's consent. A payment already with the bank may still arrive. */
  cancel(id: string, options?: CallOptions): Reply<Schedule> {
    return this.update(id, { status: 'cancelled' }, options);
  }
}
