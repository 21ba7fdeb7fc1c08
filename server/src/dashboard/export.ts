import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Tx } from '../platform/db/db.ts';
import { type Inputs, inputsOf, refuseUnstorable } from '../platform/http/calls/inputs.ts';
import type { Caller, Route } from '../platform/http/calls/route.ts';
import type { List } from '../platform/http/lists/page.ts';
import { firstPage } from '../platform/http/lists/page.ts';
import type { Guard } from '../platform/http/mount.ts';
import type { Platform } from '../platform/platform.ts';
import { toCsv } from '../platform/values/csv.ts';
import { type Local, localTime } from './local-time.ts';

/** A list of the dashboard as a file: every row that the list's own filters find, under these headings. */
export interface Export {
  /** The list, by the id of its operation; whoever may read it may export it. */
  operationId: string;
  /** The file's name without its ending. */
  name: string;
  /** The items of an answer that is no list, but has all of them. */
  items?(answer: object): object[];
  /** The cells of one item, by heading, in their order; `local` formats an instant in the merchant's time zone. */
  cells(item: object, local: Local): Record<string, string | number>;
}

/** How many rows are read at once. */
const PAGE = 500;
/** How long the reader of a file may take nothing before it is cut off: it keeps others from theirs. */
const STALLED_MS = 30_000;
/** A file longer than this is of no use in a spreadsheet. */
const MAX_ROWS = 1_000_000;

/**
 * Adds the address of a list's CSV: the list's own with `/csv`, and its query. The rows are read page by page, each in a short
 * transaction, and sent as they come, so that neither the database nor the memory holds them all.
 */
export function addExport(
  app: FastifyInstance,
  platform: Platform,
  route: Route,
  list: Export,
  onRequest: Guard[],
): void {
  const read = inputsOf(route);
  app.get<{ Params: object; Querystring: Record<string, string> }>(
    `/dashboard${route.path}/csv`,
    { schema: { hide: true }, config: { limitedBy: 'dashboard', work: 'exports' }, onRequest },
    async ({ caller, params, query: { merchant: _, ...query } }, reply) => {
      const raw = { params, query, body: undefined };
      refuseUnstorable(raw);
      const inputs = read(raw, platform.clock.now());
      if (caller === null) throw new Error('the gate lets nobody in without a caller');
      const { merchantId } = caller;
      const readZone = (tx: Tx) => localTime(tx, merchantId);
      const local = await platform.db.forMerchant(merchantId, readZone, { onlyReads: true });
      const pages = pagesOf(platform, route, caller, inputs, list.items);
      const first = await pages.next(); // an error of the query is an answer, not half a file
      const date = platform.clock.now().toString().slice(0, 10);
      reply.raw.setTimeout(STALLED_MS, () => reply.raw.destroy());
      const lines = linesOf(first.done ? [] : first.value, pages, (item) =>
        list.cells(item, local),
      );
      return sendCsv(reply, `${list.name}-${date}.csv`, Readable.from(lines));
    },
  );
}

/** Sends a CSV as a file of this name, which no cache keeps. */
export function sendCsv(reply: FastifyReply, name: string, csv: string | Readable): FastifyReply {
  return reply
    .headers({
      'cache-control': 'no-store',
      'content-disposition': `attachment; filename="${name}"`,
    })
    .type('text/csv; charset=utf-8')
    .send(csv);
}

/** Yields the items of a list, page after page; `items`: those of an answer that is no list. */
async function* pagesOf(
  platform: Platform,
  route: Route,
  caller: Caller,
  inputs: Inputs,
  items: Export['items'],
): AsyncGenerator<object[], void> {
  const fixed = { params: inputs.params, body: {}, idempotencyKey: null, ...caller };
  let after = firstPage(PAGE).after;
  for (let rows = 0; rows < MAX_ROWS && after !== undefined; ) {
    const query: object = { ...Object(inputs.query), ...firstPage(PAGE), after };
    const answer = await platform.db.forMerchant(
      caller.merchantId,
      (tx) => route.handle({ ...fixed, tx, now: platform.clock.now(), query }),
      { onlyReads: true },
    );
    if (items !== undefined) return yield items(answer as object);
    const page = answer as List<object>;
    rows += page.data.length;
    yield page.data;
    after = page.next_cursor;
  }
}

async function* linesOf(
  first: object[],
  rest: AsyncGenerator<object[], void>,
  cells: (item: object) => Record<string, string | number>,
): AsyncGenerator<string> {
  yield toCsv(first.map(cells));
  for await (const items of rest)
    if (items.length > 0) yield toCsv(items.map(cells), { header: false });
}
