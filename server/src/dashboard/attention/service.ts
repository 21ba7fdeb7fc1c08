import { listConditions } from '../../banks/condition-store.ts';
import { listStopTimes } from '../../banks/stop-store.ts';
import { findOpen } from '../../disputes/store.ts';
import type { Asked, Platform } from '../../platform/platform.ts';
import { formatInstant } from '../../platform/time/calendar.ts';
import { labelCustomers } from '../customers/label.ts';
import { readInQuestion } from '../overview/in-question.ts';
import { readInTrouble } from '../overview/in-trouble.ts';
import { CURRENCY } from '../overview/service.ts';
import { failureMessage } from '../reports/failures.ts';
import {
  countWaitingConsents,
  type FailingRow,
  findBanksOfConsents,
  findFailedSettlements,
  findFailing,
  findToConfirm,
  findWaitingConsents,
} from './store.ts';
import type { Attention, FailingGroup } from './view.ts';

/** How many of each kind are named; the counts are of all. */
const NAMED = 100;
/** How long a customer has to answer before somebody should remind them. */
const ANSWERED_WITHIN = Temporal.Duration.from({ hours: 24 });

type LabelOf = (customerId: string) => { id: string; label: string };

/** Returns what needs somebody: failing schedules by reason, consents that wait, failed settlements and webhooks. */
export async function readAttention(
  platform: Platform,
  asked: Asked,
  bankName: (bankId: string) => string,
): Promise<Attention> {
  const { tx, now, merchantId } = asked;
  const failing = await findFailing(tx, merchantId);
  const unanswered = {
    now,
    sentBy: now.subtract(ANSWERED_WITHIN),
    endsBy: now.add(ANSWERED_WITHIN),
  };
  const waiting = await findWaitingConsents(tx, merchantId, unanswered, NAMED);
  const toConfirm = await findToConfirm(tx, merchantId, NAMED);
  const groups = groupByReason(failing);
  const named = [...groups.flatMap(({ rows }) => rows.slice(0, NAMED)), ...waiting, ...toConfirm];
  const labels = await labelCustomers(
    platform,
    tx,
    merchantId,
    named.map((row) => row.customerId),
  );
  const labelOf: LabelOf = (id) => labels.get(id) ?? { id, label: id };
  return {
    currency: CURRENCY,
    failing: groups.map((group) => viewGroup(group, labelOf)),
    consents: {
      count: await countWaitingConsents(tx, merchantId, unanswered),
      waiting: waiting.map((row) => ({
        schedule: { id: row.scheduleId, description: row.description },
        customer: labelOf(row.customerId),
        since: formatInstant(row.since),
        expires_at: formatInstant(row.expiresAt),
      })),
    },
    to_confirm: toConfirm.map((row) => ({
      schedule: { id: row.scheduleId, description: row.description },
      customer: labelOf(row.customerId),
      since: formatInstant(row.since),
    })),
    banks: await readBanks(asked, bankName),
    settlements: (await findFailedSettlements(tx, merchantId, NAMED)).map((row) => ({
      id: row.settlementId,
      settlement_date: row.settleDate.toString(),
      amount: { value: row.amountPence, currency: row.currency },
      message: row.errorMessage,
    })),
    endpoints: await readInTrouble(asked),
    in_question: await readInQuestion(asked),
    disputes: (await findOpen(tx, merchantId, NAMED)).map((row) => ({
      id: row.disputeId,
      payment_id: row.paymentId,
      reason: row.reason,
      amount: { value: row.amountPence, currency: row.currency },
      created_at: formatInstant(row.createdAt),
      deadline: formatInstant(row.deadlineAt),
    })),
  };
}

/** Returns the banks of the merchant's consents that are down or stopped. */
async function readBanks(
  { tx, now, merchantId }: Asked,
  bankName: (bankId: string) => string,
): Promise<Attention['banks']> {
  const standings = await listConditions(tx, now);
  const stops = new Map((await listStopTimes(tx)).map(({ bankId, since }) => [bankId, since]));
  const down = [...standings].filter(([, { condition }]) => condition === 'down');
  const inTrouble = [...new Set([...down.map(([bankId]) => bankId), ...stops.keys()])];
  const ours = await findBanksOfConsents(tx, merchantId, inTrouble);
  return ours.map((bankId) => {
    const { condition = 'operational' as const, since = null } = standings.get(bankId) ?? {};
    const isDown = condition === 'down';
    return {
      bank_id: bankId,
      name: bankName(bankId),
      condition,
      since: formatInstant(isDown ? since : (stops.get(bankId) ?? null)),
      stopped: stops.has(bankId),
    };
  });
}

interface Group {
  reason: string;
  rows: FailingRow[];
}

/** Groups failures by their reason, the largest group first. */
function groupByReason(rows: readonly FailingRow[]): Group[] {
  const byReason = Map.groupBy(rows, (row) => row.errorCode);
  return [...byReason]
    .map(([reason, ofReason]) => ({ reason, rows: ofReason }))
    .sort((a, b) => b.rows.length - a.rows.length || a.reason.localeCompare(b.reason));
}

function otherAccount({ isAgreed, isAsked }: FailingRow): 'agreed' | 'asked' | null {
  if (isAgreed) return 'agreed';
  return isAsked ? 'asked' : null;
}

function viewGroup({ reason, rows }: Group, labelOf: LabelOf): FailingGroup {
  return {
    reason,
    message: failureMessage(reason),
    count: rows.length,
    value: rows.reduce((sum, row) => sum + row.amountPence, 0),
    schedules: rows.slice(0, NAMED).map((row) => ({
      schedule: { id: row.scheduleId, description: row.description },
      customer: labelOf(row.customerId),
      payment_id: row.paymentId,
      amount: { value: row.amountPence, currency: row.currency },
      failed_at: formatInstant(row.failedAt),
      other_account: otherAccount(row),
    })),
  };
}
