import { type Api, type CallOptions, segment } from '../api.ts';
import type { Reply } from '../reply.ts';
import type { CaseFile, Dispute, DisputeQuery, DisputeRefund, DisputeRejection } from '../types.ts';
import { type ListPromise, listOf } from './list.ts';

export class Disputes {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  get(id: string, options?: CallOptions): Reply<Dispute> {
    return this.#api.send({ method: 'GET', path: `/api/v1/disputes/${segment(id)}` }, options);
  }

  list(query?: DisputeQuery, options?: CallOptions): ListPromise<Dispute> {
    return listOf(this.#api, '/api/v1/disputes', query, options);
  }

  /** Returns everything that proves the disputed payment, signed: `content` is a zip file in base64. */
  file(id: string, options?: CallOptions): Reply<CaseFile> {
    return this.#api.send({ method: 'GET', path: `/api/v1/disputes/${segment(id)}/file` }, options);
  }

  /**
   * Gives back what a dispute asks for and ends it; where your wallet has less, it is open until the refund's money is there.
   * What came back meanwhile is not paid again. Throws 409 `dispute_ended`, `refund_exceeds_payment` or `dispute_refund_waits`.
   */
  refund(id: string, refund: DisputeRefund = {}, options?: CallOptions): Reply<Dispute> {
    return this.#end(id, 'refund', refund, options);
  }

  /** Ends a dispute without money, with an answer that the customer reads. Throws 409 `dispute_ended`. */
  reject(id: string, rejection: DisputeRejection, options?: CallOptions): Reply<Dispute> {
    return this.#end(id, 'reject', rejection, options);
  }

  /** Takes a dispute back that you raised. Throws 409 `dispute_ended`, or `dispute_not_yours` for a customer's own. */
  withdraw(id: string, options?: CallOptions): Reply<Dispute> {
    return this.#end(id, 'withdraw', {}, options);
  }

  #end(id: string, verb: string, body: object, options?: CallOptions): Reply<Dispute> {
    const path = `/api/v1/disputes/${segment(id)}/${verb}`;
    return this.#api.send({ method: 'POST', path, body }, options);
  }
}
