import { type Api, type CallOptions, segment } from '../api.ts';
import type { ListQuery } from '../paging.ts';
import type { Reply } from '../reply.ts';
import type {
  NewWebhookEndpoint,
  WebhookEndpoint,
  WebhookEndpointChanges,
  WebhookEndpointWithSecret,
} from '../types.ts';
import { type ListPromise, listOf } from './list.ts';

const PATH = '/api/v1/webhook_endpoints';
const at = (id: string): string => `${PATH}/${segment(id)}`;

export class WebhookEndpoints {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  list(query?: ListQuery, options?: CallOptions): ListPromise<WebhookEndpoint> {
    return listOf(this.#api, PATH, query, options);
  }

  get(id: string, options?: CallOptions): Reply<WebhookEndpoint> {
    return this.#api.send({ method: 'GET', path: at(id) }, options);
  }

  /** Creates an endpoint. Only this response contains the secret. */
  create(endpoint: NewWebhookEndpoint, options?: CallOptions): Reply<WebhookEndpointWithSecret> {
    return this.#api.send({ method: 'POST', path: PATH, body: endpoint }, options);
  }

  update(
    id: string,
    changes: WebhookEndpointChanges,
    options?: CallOptions,
  ): Reply<WebhookEndpoint> {
    return this.#api.send({ method: 'PUT', path: at(id), body: changes }, options);
  }

  /** Deletes an endpoint. Its pending deliveries fail; the events remain. */
  delete(id: string, options?: CallOptions): Reply<{ id: string; deleted: boolean }> {
    return this.#api.send({ method: 'DELETE', path: at(id) }, options);
  }

  /** Creates a new secret. The old one keeps signing until `activate` is called, for at most 24 hours. */
  rotate(id: string, options?: CallOptions): Reply<WebhookEndpointWithSecret> {
    return this.#api.send({ method: 'POST', path: `${at(id)}/rotate` }, options);
  }

  /** Activates the new secret for signing. Throws 409 `no_pending_secret`. */
  activate(id: string, options?: CallOptions): Reply<WebhookEndpoint> {
    return this.#api.send({ method: 'POST', path: `${at(id)}/activate` }, options);
  }

  /** Sends an `endpoint.test` event to this endpoint alone. Throws 409 `endpoint_not_enabled`. */
  test(id: string, options?: CallOptions): Reply<{ event_id: string }> {
    return this.#api.send({ method: 'POST', path: `${at(id)}/test` }, options);
  }
}
