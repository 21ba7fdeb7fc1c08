import { findWaiting, handleNow, receiveNotifications } from '../../platform/inbox.ts';
import type { Platform } from '../../platform/platform.ts';
import {
  type Issuer,
  IssuerRefused,
  IssuerUnavailable,
  type Movement,
} from '../../wallets/issuer.ts';
import { sealPayer } from '../../wallets/payer.ts';
import { ISSUER_SOURCE, type StoredNotice } from '../../wallets/routes.ts';

const REASON = { code: 'on_statement', message: "The issuer's statement shows it" };

/**
 * Recovers what is on the statement but was never notified: money that came, came back or was recalled is read at the issuer,
 * and goes to the inbox as its notification would have; while it is not booked, once a day: a recall may have come before
 * its pay-in was booked. If the notification arrives after all, it is a repeat. Throws `IssuerUnavailable`.
 */
export async function recoverLost(
  platform: Platform,
  issuer: Issuer,
  lost: readonly string[],
): Promise<void> {
  const today = platform.clock.now().toZonedDateTimeISO('UTC').toPlainDate();
  for (const movementId of new Set(lost)) {
    if (await isWaiting(platform, movementId)) continue;
    const notice = await readNotice(platform, issuer, movementId);
    if (notice === null) continue;
    platform.log.report('reconciliation.notice_lost', {
      movement_id: movementId,
      kind: notice.kind,
    });
    const notificationId = `statement-${movementId}-${today}`;
    const stored = { source: ISSUER_SOURCE, notificationId, body: JSON.stringify(notice) };
    await platform.db.transaction((tx) => receiveNotifications(tx, platform.clock.now(), [stored]));
  }
  platform.wake();
}

/** Whether the movement's own notification waits, with the issuer's reason. It is acted on after what the statement shows. */
async function isWaiting({ db, clock }: Platform, movementId: string): Promise<boolean> {
  const waiting = await db.read((tx) => findWaiting(tx, ISSUER_SOURCE, movementId));
  const own = waiting.filter(
    ({ body }) => (JSON.parse(body) as { movementId?: string }).movementId === movementId,
  );
  if (own.length === 0) return false;
  const ids = own.map(({ notificationId }) => notificationId);
  await db.transaction((tx) => handleNow(tx, clock.now(), ISSUER_SOURCE, ids));
  return true;
}

/** Returns the notification of a movement; null also if it cannot be read, so that one movement never hides the others. */
async function readNotice(
  platform: Platform,
  issuer: Issuer,
  movementId: string,
): Promise<StoredNotice | null> {
  try {
    return await noticeOf(platform, issuer, movementId);
  } catch (error) {
    if (error instanceof IssuerUnavailable) throw error;
    platform.log.report('reconciliation.movement_unread', { movement_id: movementId, err: error });
    return null;
  }
}

const NOTIFIED_KINDS = new Set(['payin', 'payout_return', 'payin_recall']);

/**
 * Returns the notification of a movement. Null: the issuer does not know it, or sends no notification of its kind that we act
 * on.
 */
async function noticeOf(
  platform: Platform,
  issuer: Issuer,
  movementId: string,
): Promise<StoredNotice | null> {
  try {
    const movement = await issuer.readMovement(movementId);
    if (!NOTIFIED_KINDS.has(movement.kind)) return null;
    const original =
      movement.kind === 'payin_recall'
        ? await issuer.readMovement(movement.originalMovementId ?? '')
        : movement;
    const { externalReference } = await issuer.readWallet(original.toIssuerWalletId ?? '');
    return toNotice(platform, externalReference, movement);
  } catch (error) {
    if (error instanceof IssuerRefused) return null;
    throw error;
  }
}

function toNotice(
  { vault }: Platform,
  externalReference: string,
  movement: Movement,
): StoredNotice {
  const { movementId, amountPence, endToEndId, kind } = movement;
  if (kind === 'payin') {
    const payer = sealPayer(vault, movementId, movement.payer);
    const at = (movement.completedAt ?? movement.createdAt).toString();
    return { kind, externalReference, movementId, endToEndId, amountPence, at, payer };
  }
  return {
    kind: kind === 'payout_return' ? 'returned' : 'recalled',
    externalReference,
    movementId,
    originalMovementId: movement.originalMovementId ?? '',
    amountPence,
    reason: movement.error ?? REASON,
  };
}
