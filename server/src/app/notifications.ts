import { takePayIn } from '../payments/pay-ins.ts';
import { trackNow } from '../payments/track.ts';
import type { Tx } from '../platform/db.ts';
import type { Notification } from '../platform/inbox.ts';
import type { Platform } from '../platform/platform.ts';
import { checkNow } from '../schedules/stages.ts';
import { followNow } from '../settlements/store.ts';
import { ISSUER_SOURCE, type StoredNotice } from '../wallets/routes.ts';
import { readExternalReference } from '../wallets/service.ts';

interface BankNotice {
  resources: { kind: 'consent' | 'payment'; id: string }[];
}

/** Acts on what banks and the issuer told us: a bank's notice is a hint to ask, the issuer's pay-in is the money itself. */
export async function actOnNotifications(
  platform: Platform,
  tx: Tx,
  now: Temporal.Instant,
  batch: readonly Notification[],
): Promise<void> {
  for (const notification of batch) {
    if (notification.source === ISSUER_SOURCE)
      await actOnIssuer(platform, tx, now, JSON.parse(notification.body) as StoredNotice);
    else
      await actOnBank(
        tx,
        now,
        notification.source.slice('bank:'.length),
        JSON.parse(notification.body) as BankNotice,
      );
  }
}

async function actOnIssuer(
  platform: Platform,
  tx: Tx,
  now: Temporal.Instant,
  notice: StoredNotice,
): Promise<void> {
  const wallet = readExternalReference(notice.externalReference);
  if (wallet === null) {
    platform.log.error(
      { external_reference: notice.externalReference },
      'a notification of a wallet that is not ours',
    );
    return;
  }
  switch (notice.kind) {
    case 'payin':
      return takePayIn(platform, tx, now, { ...wallet, ...notice });
    case 'movement':
      return followNow(tx, now, wallet.merchantId, notice.movementId);
    case 'wallet':
      return;
  }
}

async function actOnBank(
  tx: Tx,
  now: Temporal.Instant,
  bankId: string,
  notice: BankNotice,
): Promise<void> {
  const ids = (kind: 'consent' | 'payment'): string[] =>
    notice.resources.filter((resource) => resource.kind === kind).map((resource) => resource.id);
  // Schedules are held before payments, here as everywhere.
  if (ids('consent').length > 0) await checkNow(tx, now, bankId, ids('consent'));
  if (ids('payment').length > 0) await trackNow(tx, now, bankId, ids('payment'));
}
