import type { FastifyInstance } from 'fastify';
import type { Route } from '../../platform/http/calls/route.ts';
import type { Guard } from '../../platform/http/mount.ts';
import type { Platform } from '../../platform/platform.ts';
import { invalid } from '../../platform/values/errors.ts';
import { findMerchantWallet } from '../../wallets/store.ts';
import { addFile, sendStream } from '../export.ts';
import { rangeOf } from '../reports/range.ts';
import type { Statement } from '../reports/statement-view.ts';
import { CAMT_END, type CamtMovement, camtBegin, camtEntry } from './camt.ts';
import { findMovements } from './camt-store.ts';

/** How many movements are read at once. */
const PAGE = 500;

/**
 * Adds the statement of a month that is over as camt.053, at the address of the statement with `/camt`. The entries are read page
 * by page, as they are sent.
 */
export function addCamt(
  app: FastifyInstance,
  platform: Platform,
  route: Route,
  onRequest: Guard[],
): void {
  addFile(app, platform, { route, ending: 'camt', onRequest }, async (asked) => {
    const { caller, inputs, reply } = asked;
    const { merchantId } = caller;
    const call = { ...inputs, ...caller, idempotencyKey: null, now: platform.clock.now() };
    const { statement, wallet } = await platform.db.forMerchant(
      merchantId,
      async (tx) => ({
        statement: (await route.handle({ ...call, tx })) as Statement,
        wallet: await findMerchantWallet(tx, merchantId),
      }),
      { onlyReads: true },
    );
    if (!statement.is_complete)
      throw invalid({ month: 'must be over: a camt.053 statement is of a whole month' });
    const pieces = camtPieces(platform, merchantId, statement, wallet?.walletId ?? merchantId);
    return sendStream(reply, `statement-${statement.month}.xml`, 'application/xml', pieces);
  });
}

/** Yields a statement. Throws where its entries do not lead from balance to balance, so that no such file is ever whole. */
export async function* camtPieces(
  platform: Platform,
  merchantId: string,
  statement: Statement,
  account: string,
): AsyncGenerator<string> {
  const { from, to, time_zone: timeZone, opening, closing } = statement;
  const [first, last] = [Temporal.PlainDate.from(from), Temporal.PlainDate.from(to)];
  const range = rangeOf(first, last, timeZone, Number.MAX_SAFE_INTEGER);
  yield camtBegin(statement, {
    account,
    since: range.since.toZonedDateTimeISO(timeZone),
    until: range.until.toZonedDateTimeISO(timeZone),
  });
  let balance = opening;
  let after: string | null = null;
  do {
    const page: CamtMovement[] = await platform.db.forMerchant(
      merchantId,
      (tx) => findMovements(tx, merchantId, range, timeZone, { after, limit: PAGE }),
      { onlyReads: true },
    );
    balance += page.reduce((sum, { pence }) => sum + pence, 0);
    yield page.map(camtEntry).join('');
    after = page.length < PAGE ? null : (page.at(-1)?.transferId ?? null);
  } while (after !== null);
  if (balance !== closing)
    throw new Error(`the statement closes with ${closing}, its entries with ${balance}`);
  yield CAMT_END;
}
