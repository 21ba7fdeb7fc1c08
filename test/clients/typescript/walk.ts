/**
 * What a stranger does with the package after its README, whose code a test writes beside this file: creates once with one
 * key, lists by the iterator, meets a refusal, and receives what the service really sends.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import {
  type Recollect,
  RecollectConflictError,
  RecollectRequestError,
  type Schedule,
} from '@recollect/sdk';

const { receive, recollect, schedule } = (await import(
  new URL('readme.ts', import.meta.url).href
)) as {
  receive(request: Request): Promise<Response>;
  recollect: Recollect;
  schedule: Schedule;
};

const terms = {
  amount: { value: 1250, currency: 'GBP' },
  frequency: { type: 'weekly' },
  customer: { type: 'user_id', value: schedule.customer.id },
  description: 'Second',
} as const;
const once = { idempotencyKey: 'once' };
const one = await recollect.schedules.create(terms, once);
const again = await recollect.schedules.create(terms, once);
const conflict = await recollect.schedules
  .create({ ...terms, description: 'Third' }, once)
  .catch((error: unknown) => error);
const refusal = await recollect.schedules
  .create({ ...terms, amount: { value: 0, currency: 'GBP' } })
  .catch((error: unknown) => error);
if (!(refusal instanceof RecollectRequestError)) throw refusal;

const received: unknown[] = [];
const server = createServer(async (request, response) => {
  const body = await text(request);
  const { status } = await receive(
    new Request('http://localhost/', {
      method: 'POST',
      headers: request.headers as Record<string, string>,
      body,
    }),
  );
  received.push([status, JSON.parse(body).event]);
  response.writeHead(status).end();
});
await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
const { port } = server.address() as AddressInfo;
const endpoint = await recollect.webhookEndpoints.create({ url: `http://127.0.0.1:${port}/` });
process.env.RECOLLECT_WEBHOOK_SECRET = endpoint.secret;
await recollect.sandbox.consent(one.id, { decision: 'grant', account: 'alex' });
await recollect.sandbox.advance({ by: 'P3W' });
server.close();

const listed: string[] = [];
for await (const { id } of recollect.payments.list({ limit: 2 })) listed.push(id);
const { total, total_amount: sum } = await recollect.payments.list({ sum: true });
const { status } = await recollect.schedules.get(one.id);
console.log(
  JSON.stringify({
    isOnce: one.id === again.id,
    conflict: conflict instanceof RecollectConflictError ? conflict.code : null,
    refusal: [refusal.status, refusal.code, Object.keys(refusal.details ?? {}), refusal.docUrl],
    received,
    total,
    sum,
    listed,
    status,
  }),
);
