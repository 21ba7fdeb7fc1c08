import Type from 'typebox';
import type { Tx } from '../platform/db/db.ts';
import { type Route, route } from '../platform/http/calls/route.ts';
import { mapList, pageOf } from '../platform/http/lists/page.ts';
import { Fields, Id, IdParams, ListOf, ListQuery } from '../platform/http/schemas/schemas.ts';
import { refuseUrl } from '../platform/network/address.ts';
import type { Platform } from '../platform/platform.ts';
import { notFound } from '../platform/values/errors.ts';
import { sendTestEvent } from './resend.ts';
import {
  activateSecret,
  createEndpoint,
  deleteEndpoint,
  rotateSecret,
  updateEndpoint,
} from './service.ts';
import { countMissing, type EndpointRow, findEndpoint, listEndpoints } from './store.ts';
import {
  EndpointStatus,
  EndpointView,
  EndpointWithSecret,
  EventKinds,
  endpointView,
} from './views.ts';

const PATH = '/api/v1/webhook_endpoints';
const tag = 'Webhook endpoints';

const Url = Type.String({
  maxLength: 2048,
  description:
    'Where events are sent to: a URL with https, in the sandbox also http to localhost. Redirects are not followed.',
  examples: ['https://example.com/webhooks'],
});
const Description = Type.String({
  maxLength: 200,
  description: 'What it is for, in your own words.',
});
const NewEndpoint = Fields(
  {
    url: Url,
    description: Type.Optional(Description),
    event_kinds: Type.Optional(EventKinds),
  },
  'A new webhook endpoint.',
);

const EndpointChanges = Fields(
  {
    url: Type.Optional(Url),
    description: Type.Optional(Description),
    event_kinds: Type.Optional(EventKinds),
    status: Type.Optional(EndpointStatus),
  },
  'Changes of a webhook endpoint. A field that is left out stays as it is.',
);

const EndpointIds = Type.Object(
  {
    id: Id('end', 'The endpoint.'),
    deleted: Type.Boolean({ description: 'True: it is deleted.' }),
  },
  { description: 'A webhook endpoint that is deleted.' },
);

async function view(tx: Tx, row: EndpointRow) {
  const missing = await countMissing(tx, row.merchantId, [row.endpointId]);
  return endpointView(row, missing.get(row.endpointId));
}

/** Rejects a URL by its form, together with the body's other wrong fields. */
function urlCheck({ config }: Platform): (body: unknown) => Record<string, string> {
  return (body) => {
    if (typeof body !== 'object' || body === null || !('url' in body)) return {};
    if (typeof body.url !== 'string') return {};
    const refused = refuseUrl(body.url, config.mode);
    const wrong: Record<string, string> = refused === null ? {} : { url: refused };
    return wrong;
  };
}

function reading(): Route[] {
  return [
    route({
      method: 'GET',
      path: PATH,
      summary: 'List the webhook endpoints',
      description:
        'The newest first, with how much each has not received. Deleted ones are not listed.',
      tag,
      operationId: 'listWebhookEndpoints',
      scope: 'webhooks',
      permission: 'read',
      query: ListQuery,
      response: ListOf(EndpointView),
      handle: async (call) => {
        const page = await listEndpoints(call.tx, call.merchantId, pageOf(call));
        const ids = page.data.map((row) => row.endpointId);
        const missing = await countMissing(call.tx, call.merchantId, ids);
        return mapList(page, (row) => endpointView(row, missing.get(row.endpointId)));
      },
    }),
    route({
      method: 'GET',
      path: `${PATH}/:id`,
      summary: 'Get a webhook endpoint',
      description: 'With how much it has not received. Its secret is not shown.',
      tag,
      operationId: 'getWebhookEndpoint',
      scope: 'webhooks',
      permission: 'read',
      params: IdParams,
      response: EndpointView,
      errors: ['not_found'],
      handle: async ({ tx, merchantId, params }) => {
        const row = await findEndpoint(tx, merchantId, params.id);
        if (row === null) throw notFound('webhook endpoint');
        return view(tx, row);
      },
    }),
  ];
}

function changing(platform: Platform): Route[] {
  return [
    route({
      method: 'POST',
      path: PATH,
      summary: 'Create a webhook endpoint',
      description:
        'It is enabled at once. Only this response has the secret that signs its webhooks. You can have 20.',
      tag,
      operationId: 'createWebhookEndpoint',
      scope: 'webhooks',
      permission: 'manage_webhooks',
      proof: 'never',
      body: NewEndpoint,
      response: EndpointWithSecret,
      check: urlCheck(platform),
      errors: ['too_many_endpoints'],
      handle: async (call) => {
        const { url, description, event_kinds: eventKinds } = call.body;
        const what = {
          url,
          ...(description === undefined ? {} : { description }),
          ...(eventKinds === undefined ? {} : { eventKinds }),
        };
        const made = await createEndpoint(platform, call, what);
        return { ...endpointView(made.endpoint), secret: made.secret };
      },
    }),
    route({
      method: 'PUT',
      path: `${PATH}/:id`,
      summary: 'Update a webhook endpoint',
      description:
        'Changes only the fields sent. Events that occur while it is disabled are held. Enabling takes up the retries that ' +
        'were waiting, and sends nothing else on its own: `held` says how many are held, and a replay sends them.',
      tag,
      operationId: 'updateWebhookEndpoint',
      scope: 'webhooks',
      permission: 'manage_webhooks',
      proof: 'never',
      params: IdParams,
      body: EndpointChanges,
      response: EndpointView,
      check: urlCheck(platform),
      errors: ['not_found'],
      handle: async (call) => {
        const { event_kinds: eventKinds, ...rest } = call.body;
        const change = eventKinds === undefined ? rest : { ...rest, eventKinds };
        return view(call.tx, await updateEndpoint(platform, call, call.params.id, change));
      },
    }),
    route({
      method: 'DELETE',
      path: `${PATH}/:id`,
      summary: 'Delete a webhook endpoint',
      description: 'Deliveries that wait for it have failed. The events remain.',
      tag,
      operationId: 'deleteWebhookEndpoint',
      scope: 'webhooks',
      permission: 'manage_webhooks',
      proof: 'never',
      params: IdParams,
      response: EndpointIds,
      errors: ['not_found'],
      handle: async (call) => {
        await deleteEndpoint(call, call.params.id);
        return { id: call.params.id, deleted: true };
      },
    }),
  ];
}

function acting(platform: Platform): Route[] {
  return [
    route({
      method: 'POST',
      path: `${PATH}/:id/rotate`,
      summary: 'Make a new secret for a webhook endpoint',
      description:
        'Only this response has the new secret. The old one goes on signing until you activate the new one, for at most ' +
        '24 hours; meanwhile `webhook-signature` carries both signatures.',
      tag,
      operationId: 'rotateWebhookSecret',
      scope: 'webhooks',
      permission: 'manage_webhooks',
      proof: 'never',
      params: IdParams,
      response: EndpointWithSecret,
      errors: ['not_found'],
      handle: async (call) => {
        const made = await rotateSecret(platform, call, call.params.id);
        return { ...(await view(call.tx, made.endpoint)), secret: made.secret };
      },
    }),
    route({
      method: 'POST',
      path: `${PATH}/:id/activate`,
      summary: 'Activate the new secret of a webhook endpoint',
      description:
        'It signs from now on, and the old one no more. Refused where no new secret waits.',
      tag,
      operationId: 'activateWebhookSecret',
      scope: 'webhooks',
      permission: 'manage_webhooks',
      proof: 'never',
      params: IdParams,
      response: EndpointView,
      errors: ['not_found', 'no_pending_secret'],
      handle: async (call) => view(call.tx, await activateSecret(call, call.params.id)),
    }),
    route({
      method: 'POST',
      path: `${PATH}/:id/test`,
      summary: 'Send a test event to this webhook endpoint',
      description:
        'It gets an `endpoint.test` event, which no other endpoint gets. The event shows what came of it. Refused while the endpoint is disabled.',
      tag,
      operationId: 'testWebhookEndpoint',
      scope: 'webhooks',
      permission: 'manage_webhooks',
      proof: 'never',
      params: IdParams,
      response: Type.Object(
        { event_id: Id('evt', 'The event that was sent.') },
        { description: 'A test event.' },
      ),
      errors: ['not_found', 'endpoint_not_enabled'],
      handle: async (call) => ({
        event_id: await sendTestEvent(platform, call, call.params.id),
      }),
    }),
  ];
}

/** Returns the routes under `/api/v1/webhook_endpoints`. */
export function endpointRoutes(platform: Platform): Route[] {
  return [...reading(), ...changing(platform), ...acting(platform)];
}
