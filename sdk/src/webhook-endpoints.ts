import { type Api, type CallOptions, segment } from './api.ts';
import { type ListPromise, listOf } from './list.ts';
import type { SubscribedKind } from './webhook-events.ts';
import type { ListQuery } from './wire.ts';

/** Where you get your events. */
export interface WebhookEndpoint {
  id: string;
  url: string;
  description: string;
  event_kinds: string[];
  status: 'enabled' | 'disabled';
  /** Deliveries that were held back while it was disabled; `events.replay` sends them. */
  held: number;
  /** When a new secret begins to sign on its own; null where none waits. */
  next_secret_activates_at: string | null;
  created_at: string;
  updated_at: string;
}

/** An endpoint, and the secret that was just made for it. It is shown once. */
export interface WebhookEndpointWithSecret extends WebhookEndpoint {
  /** `whsec_…`: what `verifyWebhook` checks with. */
  secret: string;
}

export interface NewWebhookEndpoint {
  /** https; in the sandbox also http to this machine. */
  url: string;
  description?: string;
  /** Default: the six kinds that every endpoint gets. */
  event_kinds?: SubscribedKind[];
}

/** Only the fields that are there are changed. */
export interface WebhookEndpointChanges {
  url?: string;
  description?: string;
  event_kinds?: SubscribedKind[];
  status?: 'enabled' | 'disabled';
}

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

  get(id: string, options?: CallOptions): Promise<WebhookEndpoint> {
    return this.#api.send({ method: 'GET', path: at(id) }, options);
  }

  /** The answer holds the secret; no later one does. */
  create(endpoint: NewWebhookEndpoint, options?: CallOptions): Promise<WebhookEndpointWithSecret> {
    return this.#api.send({ method: 'POST', path: PATH, body: endpoint }, options);
  }

  update(
    id: string,
    changes: WebhookEndpointChanges,
    options?: CallOptions,
  ): Promise<WebhookEndpoint> {
    return this.#api.send({ method: 'PUT', path: at(id), body: changes }, options);
  }

  /** What still waited for it has failed; the events remain. */
  delete(id: string, options?: CallOptions): Promise<{ id: string; deleted: boolean }> {
    return this.#api.send({ method: 'DELETE', path: at(id) }, options);
  }

  /** Makes a new secret. The old one goes on signing until `activate`, or for 24 hours. */
  rotate(id: string, options?: CallOptions): Promise<WebhookEndpointWithSecret> {
    return this.#api.send({ method: 'POST', path: `${at(id)}/rotate` }, options);
  }

  /** Lets the new secret sign from now on. Throws 409 `no_pending_secret`. */
  activate(id: string, options?: CallOptions): Promise<WebhookEndpoint> {
    return this.#api.send({ method: 'POST', path: `${at(id)}/activate` }, options);
  }

  /** Sends an `endpoint.test` event to this endpoint alone. Throws 409 `endpoint_not_enabled`. */
  test(id: string, options?: CallOptions): Promise<{ event_id: string }> {
    return this.#api.send({ method: 'POST', path: `${at(id)}/test` }, options);
  }
}
