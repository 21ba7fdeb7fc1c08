import { formatInstant } from '../../platform/time/calendar.ts';
import type { Vault } from '../../platform/vault/vault.ts';
import { openPayer } from '../../wallets/payer.ts';
import { REASONS } from '../payment/unallocated-item.ts';
import type { ItemRow } from './unallocated-store.ts';

/** Returns an item as listed for operators; the payer's account stays sealed. */
export function viewItem(item: ItemRow, now: Temporal.Instant) {
  return {
    item_id: item.itemId,
    merchant_id: item.merchantId,
    amount: { value: item.amountPence, currency: item.currency },
    status: item.status,
    age: ageOf(item.arrivedAt, now),
    arrived_at: formatInstant(item.arrivedAt),
    source: { movement_id: item.movementId, wallet_id: item.walletId },
    reason: item.reason,
    why: REASONS[item.reason],
    came_back_of: item.cameBackOf,
    guess: item.paymentId === null ? null : { payment_id: item.paymentId, attempt: item.attempt },
    proposed: item.proposed,
  };
}

/** Returns all that is known about an item, including the payer's account. */
export function viewItemInFull(vault: Vault, item: ItemRow, now: Temporal.Instant) {
  const payer = openPayer(vault, item.movementId, item.payer);
  return {
    ...viewItem(item, now),
    end_to_end_id: item.endToEndId,
    part_of: item.partOf,
    payer:
      payer === null
        ? null
        : {
            name: payer.name,
            sort_code: payer.sortCode,
            account_number: payer.accountNumber,
          },
    ended:
      item.endedAt === null
        ? null
        : {
            at: formatInstant(item.endedAt),
            by: item.endedBy,
            confirmed_by: item.confirmedBy,
            reason: item.endReason,
          },
  };
}

/** Formats an age for people who look for the oldest items: "3 days 4 hours", "25 minutes". */
export function ageOf(since: Temporal.Instant, now: Temporal.Instant): string {
  const age = now.since(since).round({ largestUnit: 'hours', smallestUnit: 'minutes' });
  const days = Math.floor(age.hours / 24);
  const parts = [
    pluralise(days, 'day'),
    pluralise(age.hours % 24, 'hour'),
    pluralise(days > 0 ? 0 : age.minutes, 'minute'),
  ];
  return parts.filter((part) => part !== '').join(' ') || 'less than a minute';
}

const pluralise = (count: number, unit: string): string =>
  count <= 0 ? '' : `${count} ${unit}${count === 1 ? '' : 's'}`;
