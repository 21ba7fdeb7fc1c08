import { checkNow } from '../../consents/check-store.ts';
import { transferNow } from '../../payments/books/transfer-store.ts';
import type { Transfers } from '../../payments/outcomes/paid.ts';
import { openCameBack } from '../../payments/pay-ins/came-back.ts';
import { type PayInNotice, recordPayIns } from '../../payments/pay-ins/pay-ins.ts';
import { handlePaymentNotice } from '../../payments/stages/unknown-payments.ts';
import { byShard } from '../../platform/cluster/shards.ts';
import type { Tx } from '../../platform/db/db.ts';
import { mayWait, type Notification } from '../../platform/inbox.ts';
import type { Platform } from '../../platform/platform.ts';
import { recordRefundReturn } from '../../refunds/end.ts';
import type { RefundDeps } from '../../refunds/service.ts';
import { pollNow as followRefund } from '../../refunds/store.ts';
import type { SettlementDeps } from '../../settlements/destination.ts';
import { recordRecall } from '../../settlements/recalls.ts';
import { isOrderPending, isReturnBooked } from '../../settlements/return-store.ts';
import { recordPayOutReturn } from '../../settlements/returned-pay-outs.ts';
import { pollNow } from '../../settlements/store.ts';
import { FEE_WALLET } from '../../wallets/fee-wallet.ts';
import { ISSUER_SOURCE, type StoredNotice } from '../../wallets/routes.ts';
import { readExternalReference } from '../../wallets/service.ts';

/** What acting on a notice takes. */
export interface NotifiedDeps extends SettlementDeps {
  refunds: RefundDeps;
  /** Takes the transfers of money that has come. */
  transfers: Transfers;
}

interface BankNotice {
  resources: { kind: 'consent' | 'payment'; id: string }[];
}

/**
 * Acts on notifications from one bank or the issuer: a bank's notice prompts a status check, the issuer's pay-in is the money
 * itself. Returns the unexpected ones of a batch; the caller processes each of them alone.
 */
export async function actOnNotifications(
  settlements: NotifiedDeps,
  tx: Tx,
  now: Temporal.Instant,
  batch: readonly Notification[],
  wait: (notification: Notification) => void,
): Promise<readonly Notification[]> {
  const [first] = batch;
  if (first === undefined) return [];
  if (first.source === ISSUER_SOURCE) {
    const left: Notification[] = [];
    for (const some of await byShard(tx, batch, merchantOf))
      left.push(...(await actOnIssuer(settlements, tx, now, some, wait)));
    return left;
  }
  await actOnBank(tx, now, first.source.slice('bank:'.length), batch);
  return [];
}

/** Returns whose wallet a notice of the issuer is about; null: nobody's that we know. */
function merchantOf({ body }: Notification): string | null {
  const { externalReference } = JSON.parse(body) as StoredNotice;
  return readExternalReference(externalReference)?.merchantId ?? null;
}

async function actOnIssuer(
  settlements: NotifiedDeps,
  tx: Tx,
  now: Temporal.Instant,
  batch: readonly Notification[],
  wait: (notification: Notification) => void,
): Promise<readonly Notification[]> {
  const { platform } = settlements;
  const read = batch.map((from) => ({ from, ...readNotice(platform, now, from) }));
  const payIns = read.flatMap(({ from, payIn }) => (payIn === undefined ? [] : [{ from, payIn }]));
  const moved = read.flatMap(({ movement }) => movement ?? []);
  const unusual = await recordPayIns(
    { platform, tx, now },
    payIns.map(({ payIn }) => payIn),
    settlements.transfers,
  );
  const transfers = moved.flatMap(({ merchantId, reference = '' }) =>
    reference.startsWith('pay_') ? [{ merchantId, paymentId: reference }] : [],
  );
  if (transfers.length > 0) await transferNow(tx, now, transfers);
  for (const { merchantId, movementId } of moved) {
    await pollNow(tx, now, merchantId, movementId);
    await followRefund(tx, now, merchantId, movementId);
  }
  for (const one of batch) if (!(await recordReversal(settlements, tx, now, one))) wait(one);
  return payIns.filter(({ payIn }) => unusual.has(payIn)).map(({ from }) => from);
}

/**
 * Records money that the issuer took back: a returned pay-out, a recalled pay-in. Returns false if it is about something that is
 * not in our books yet, for which it waits.
 */
async function recordReversal(
  deps: NotifiedDeps,
  tx: Tx,
  now: Temporal.Instant,
  notification: Notification,
): Promise<boolean> {
  const notice = JSON.parse(notification.body) as StoredNotice;
  if (notice.kind !== 'recalled' && notice.kind !== 'returned') return true;
  const wallet = readExternalReference(notice.externalReference);
  if (wallet === null) return true;
  const back = { ...wallet, ...notice };
  const work = { platform: deps.platform, tx, now };
  const canWait = mayWait(notification, now);
  if (notice.kind === 'recalled') return recordRecall(deps.refunds, work, back, canWait);
  if (await isReturnBooked(tx, back)) return true;
  const found =
    (await recordRefundReturn(deps.refunds, work, back)) ??
    (await recordPayOutReturn(deps, tx, now, back));
  if (found.kind === 'recorded') return true;
  const { of } = found;
  if (of === null && canWait && (await isOrderPending(tx, back))) return false;
  await openCameBack(work, { ...back, of });
  return true;
}

/** A movement that has changed at the issuer, and the reference of its order. */
interface MovementUpdate {
  merchantId: string;
  movementId: string;
  reference?: string;
}

/** Reads an issuer's notice: a pay-in to record, a movement to follow, or nothing. */
function readNotice(
  platform: Platform,
  now: Temporal.Instant,
  notification: Notification,
): { payIn?: PayInNotice; movement?: MovementUpdate } {
  const notice = JSON.parse(notification.body) as StoredNotice;
  const wallet = readExternalReference(notice.externalReference);
  if (wallet === null)
    platform.log.report('issuer.unknown_wallet', { external_reference: notice.externalReference });
  const isIgnored = notice.kind === 'wallet' || notice.externalReference === FEE_WALLET;
  if (wallet === null || isIgnored) return {};
  if (notice.kind === 'returned' || notice.kind === 'recalled') return {};
  if (notice.kind === 'payin') {
    const { movementId, amountPence, endToEndId, payer = null } = notice;
    const at = notice.at === undefined ? now : Temporal.Instant.from(notice.at);
    const payIn = { movementId, amountPence, endToEndId: endToEndId || null, at, payer };
    return { payIn: { ...wallet, ...payIn } };
  }
  return { movement: { merchantId: wallet.merchantId, ...notice } };
}

async function actOnBank(
  tx: Tx,
  now: Temporal.Instant,
  bankId: string,
  batch: readonly Notification[],
): Promise<void> {
  const resources = batch.flatMap(({ body }) => (JSON.parse(body) as BankNotice).resources);
  const ids = (kind: 'consent' | 'payment'): string[] =>
    resources.filter((resource) => resource.kind === kind).map((resource) => resource.id);
  // Consents are locked before payments, here as everywhere.
  if (ids('consent').length > 0) await checkNow(tx, now, bankId, ids('consent'));
  if (ids('payment').length > 0) await handlePaymentNotice(tx, now, bankId, ids('payment'));
}
