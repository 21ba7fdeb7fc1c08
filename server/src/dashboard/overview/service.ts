import type { Tx } from '../../platform/db/db.ts';
import { formatInstant } from '../../platform/time/calendar.ts';
import { compareInstants } from '../../platform/values/instants.ts';
import { sumOwed } from '../../settlements/debt-store.ts';
import { chooseNetted } from '../../settlements/netted-lines-store.ts';
import { settlementDate } from '../../settlements/settlement-day.ts';
import { countEvents } from '../../webhooks/event-store.ts';
import { todayIn, type ZonedCall } from '../reports/range.ts';
import { readComing } from './coming.ts';
import { fillDays, successRate, totalOf } from './days.ts';
import { readInQuestion } from './in-question.ts';
import { readInTrouble } from './in-trouble.ts';
import {
  countByStatus,
  findNextSettlement,
  findUnderWay,
  readLawFindings,
  sumEnded,
  sumSettled,
  walletBalance,
} from './store.ts';
import type { OverviewView } from './view.ts';
import { countEndpoints } from './webhook-store.ts';

/** What the UK bank scheme carries: docs/rules/wallets-and-money.md#amounts. */
export const CURRENCY = 'GBP';
const COMING_DAYS = 30;

/** Returns the overview of a merchant's collections: the last `days` days, the next 30, and what needs attention. */
export async function readOverview(call: ZonedCall, days: number): Promise<OverviewView> {
  const { tx, merchantId } = call;
  const coming = await readComing(call, COMING_DAYS);
  return {
    currency: CURRENCY,
    ...(await readPast(call, days)),
    upcoming: { ...totalOf(coming), days: coming },
    wallet: { value: await walletBalance(tx, merchantId), currency: CURRENCY },
    in_question: await readInQuestion(call),
    next_settlement: await readNextSettlement(tx, merchantId),
    schedules: await readSchedules(tx, merchantId),
    webhooks: {
      endpoints: await countEndpoints(tx, merchantId),
      undelivered: await countEvents(tx, merchantId, { undelivered: true }),
      failing: await readInTrouble(call),
    },
    laws: await readLaws(tx),
  };
}

type Totals = OverviewView['before'];
type Past = Totals & Pick<OverviewView, 'days' | 'before'>;

/** Returns the last `days` days, and the totals of as many before them. */
async function readPast(call: ZonedCall, days: number): Promise<Past> {
  const { tx, merchantId, timeZone } = call;
  const today = todayIn(timeZone, call.now);
  const first = today.subtract({ days: days * 2 - 1 });
  const since = first.toZonedDateTime(timeZone).toInstant();
  const rows = [
    ...(await sumEnded(tx, merchantId, since, timeZone)),
    ...(await sumSettled(tx, merchantId, since, timeZone)),
  ];
  const filled = fillDays(rows, first, today);
  const shown = filled.slice(days);
  return { days: shown, ...totalsOf(shown), before: totalsOf(filled.slice(0, days)) };
}

function totalsOf(days: OverviewView['days']): Totals {
  const collected = totalOf(days.map((day) => day.collected));
  const failed = totalOf(days.map((day) => day.failed));
  const settled = totalOf(days.map((day) => day.settled));
  return { collected, failed, settled, success_rate: successRate(collected, failed) };
}

/**
 * Returns the settlement being paid out, else the amount collected so far for the next business day, less what is netted. Null
 * where nothing would be paid out.
 */
async function readNextSettlement(
  tx: Tx,
  merchantId: string,
): Promise<OverviewView['next_settlement']> {
  const underWay = await findUnderWay(tx, merchantId);
  if (underWay !== null)
    return { date: underWay.settleDate.toString(), value: underWay.amountPence };
  const next = await findNextSettlement(tx, merchantId);
  if (next === null) return null;
  const { pence: nettedPence } = await chooseNetted(tx, merchantId, Number.MAX_SAFE_INTEGER);
  const value = next.value - nettedPence - (await sumOwed(tx, merchantId));
  return value > 0 ? { date: settlementDate(next.at).toString(), value } : null;
}

async function readSchedules(tx: Tx, merchantId: string): Promise<OverviewView['schedules']> {
  const counts = new Map(
    (await countByStatus(tx, merchantId)).map(({ status, count }) => [status, count]),
  );
  return {
    pending_consent: counts.get('pending_consent') ?? 0,
    active: counts.get('active') ?? 0,
    paused: counts.get('paused') ?? 0,
    cancelled: counts.get('cancelled') ?? 0,
  };
}

/** Reads the findings on the laws of money. `checked_at` is the oldest check: all findings are at least as recent. */
async function readLaws(tx: Tx): Promise<OverviewView['laws']> {
  const rows = await readLawFindings(tx);
  const checked = rows.map((row) => row.checkedAt).sort(compareInstants)[0];
  return {
    checked_at: checked === undefined ? null : formatInstant(checked),
    findings: rows.map(({ law, sentence, holds, unknownSince, unknownReason }) => ({
      law,
      sentence,
      holds,
      unknown:
        unknownSince === null
          ? null
          : { since: formatInstant(unknownSince), reason: unknownReason ?? 'not known' },
    })),
  };
}
