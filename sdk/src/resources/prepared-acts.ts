import { type Api, type CallOptions, segment } from '../api.ts';
import type { Reply } from '../reply.ts';
import type { ActToPrepare, PreparedAct, PreparedActQuery } from '../types.ts';
import { type ListPromise, listOf } from './list.ts';

const PATH = '/api/v1/prepared_acts';

/** What moves money, in two steps: for agents, and for keys with limits. */
export class PreparedActs {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /** Prepares what another endpoint does, and changes nothing. The same act is prepared once, however often you ask. */
  prepare(act: ActToPrepare, options?: CallOptions): Reply<PreparedAct> {
    return this.#api.send({ method: 'POST', path: PATH, body: act }, options);
  }

  /** Does a prepared act, once, however often you commit it. Beyond the limits of the key it waits for a member of the team. */
  commit(id: string, options?: CallOptions): Reply<PreparedAct> {
    return this.#api.send({ method: 'POST', path: `${PATH}/${segment(id)}/commit` }, options);
  }

  /** Lists the acts of this key, newest first. */
  list(query?: PreparedActQuery, options?: CallOptions): ListPromise<PreparedAct> {
    return listOf(this.#api, PATH, query, options);
  }

  get(id: string, options?: CallOptions): Reply<PreparedAct> {
    return this.#api.send({ method: 'GET', path: `${PATH}/${segment(id)}` }, options);
  }
}
