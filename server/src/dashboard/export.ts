import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Tx } from '../platform/db/db.ts';
import { type Inputs, inputsOf, refuseUnstorable } from '../platform/http/calls/inputs.ts';
import type { Caller, Route } from '../platform/http/calls/route.ts';
import type { List } from '../platform/http/lists/page.ts';
import { firstPage } from '../platform/http/lists/page.ts';
import type { Guard } from '../platform/http/mount.ts';
import type { Platform } from '../platform/platform.ts';
import { type CsvForm, toCsv } from '../platform/values/csv.ts';
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
  /** How the cells are written, by the query; absent: as they are, under the headings of the first row. */
  form?(query: object): CsvForm;
}

/** Whose file is asked for, and with which inputs of its route. */
export interface AskedFile {
  caller: Caller;
  inputs: Inputs;
  reply: FastifyReply;
}

/** How many rows are read at once. */
const PAGE = 500;
/** How long the reader of a file may take nothing before it is cut off: it keeps others from theirs. */
const STALLED_MS = 30_000;
/** A file longer than this is of no use in a spreadsheet. */
const MAX_ROWS = 1_000_000;

/** Adds the address of a file below that of a route, such as `/csv`, with the route's query; `send` sends it. */
export function addFile(
  app: FastifyInstance,
  platform: Platform,
  { route, ending, onRequest }: { route: Route; ending: string; onRequest: Guard[] },
  send: (asked: AskedFile) => Promise<FastifyReply>,
): void {
  const read = inputsOf(route);
  app.get<{ Params: object; Querystring: Record<string, string> }>(
    `/dashboard${route.path}/${ending}`,
    { schema: { hide: true }, config: { limitedBy: 'dashboard', work: 'exports' }, onRequest },
    async ({ caller, params, query: { merchant: _, ...query } }, reply) => {
      const raw = { params, query, body: undefined };
      refuseUnstorable(raw);
      const inputs = read(raw, platform.clock.now());
      if (caller === null) throw new Error('the gate lets nobody in without a caller');
      return send({ caller, inputs, reply });
    },
  );
}

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
  addFile(app, platform, { route, ending: 'csv', onRequest }, async ({ caller, inputs, reply }) => {
    const { merchantId } = caller;
    const readZone = (tx: Tx) => localTime(tx, merchantId);
    const local = await platform.db.forMerchant(merchantId, readZone, { onlyReads: true });
    const pages = pagesOf(platform, route, caller, inputs, list.items);
    const first = await pages.next(); // an error of the query is an answer, not half a file
    const date = platform.clock.now().toString().slice(0, 10);
    const lines = linesOf(
      first.done ? [] : first.value,
      pages,
      (item) => list.cells(item, local),
      list.form?.(Object(inputs.query)),
    );
    return sendStream(reply, `${list.name}-${date}.csv`, 'text/csv', lines);
  });
}

/** Sends what is read piece by piece as a file of this name. A reader who takes nothing for a while is cut off. */
export function sendStream(
  reply: FastifyReply,
  name: string,
  type: string,
  pieces: AsyncIterable<string>,
): FastifyReply {
  reply.raw.setTimeout(STALLED_MS, () => reply.raw.destroy());
  return sendFile(reply, name, type, Readable.from(pieces));
}

/** Sends a file of this name, which no cache keeps. */
export function sendFile(
  reply: FastifyReply,
  name: string,
  type: string,
  content: string | Buffer | Readable,
): FastifyReply {
  return reply
    .headers({
      'cache-control': 'no-store',
      'content-disposition': `attachment; filename="${name}"`,
    })
    .type(Buffer.isBuffer(content) ? type : `${type}; charset=utf-8`)
    .send(content);
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
  form: CsvForm = {},
): AsyncGenerator<string> {
  yield toCsv(first.map(cells), form);
  for await (const items of rest)
    if (items.length > 0) yield toCsv(items.map(cells), { ...form, header: false });
}
