import { type Api, type CallOptions, segment } from '../api.ts';
import type { ListQuery } from '../paging.ts';
import type { Reply } from '../reply.ts';
import type {
  CreateScheduleChangeRequest,
  ListScheduleChangeLinesQuery,
  ScheduleChange,
  ScheduleChangeLine,
} from '../types.ts';
import { type ListPromise, listOf } from './list.ts';

const PATH = '/api/v1/schedule_changes';
const at = (id: string): string => `${PATH}/${segment(id)}`;

export class ManySchedules {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /**
   * Changes up to 5,000 schedules, named by id or by the filter of the list, or says with `preview` what would become of each.
   * Throws 409 `request_in_progress` while another change of yours runs.
   */
  create(change: CreateScheduleChangeRequest, options?: CallOptions): Reply<ScheduleChange> {
    return this.#api.send({ method: 'POST', path: PATH, body: change }, options);
  }

  /** Starts a preview, or runs the failed lines of a change again. */
  run(id: string, options?: CallOptions): Reply<ScheduleChange> {
    return this.#api.send({ method: 'POST', path: `${at(id)}/run` }, options);
  }

  /** Returns how far a change is. */
  get(id: string, options?: CallOptions): Reply<ScheduleChange> {
    return this.#api.send({ method: 'GET', path: at(id) }, options);
  }

  list(query?: ListQuery, options?: CallOptions): ListPromise<ScheduleChange> {
    return listOf(this.#api, PATH, query, options);
  }

  /** Lists the schedules of a change, with what becomes of each. */
  lines(
    id: string,
    query?: ListScheduleChangeLinesQuery,
    options?: CallOptions,
  ): ListPromise<ScheduleChangeLine> {
    return listOf(this.#api, `${at(id)}/lines`, query, options);
  }
}
