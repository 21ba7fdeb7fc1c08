import { formatInstant } from '../../platform/time/calendar.ts';
import type { Vault } from '../../platform/vault/vault.ts';
import { openPayer } from '../../wallets/payer.ts';
import { REASONS } from '../payment/unallocated-item.ts';
import type { ItemRow } from './unallocated-store.ts';

/** Returns an item as listed for operators; the payer's account stays sealed. */
export function viewItem(item: ItemRow, now: Temporal.Instant) {
  return {
    item_id: item.item_id,
    merchant_id: item.merchant_id,
    amount: { value: item.amount_pence, currency: item.currency },
    status: item.status,
    age: ageOf(item.arrived_at, now),
    arrived_at: formatInstant(item.arrived_at),
    source: { movement_id: item.movement_id, wallet_id: item.wallet_id },
    reason: item.reason,
    why: REASONS[item.reason],
    came_back_of: item.came_back_of,
    guess: item.payment_id === null ? null : { payment_id: item.payment_id, attempt: item.attempt },
    proposed: item.proposed,
  };
}

/** Returns all that is known about an item, including the payer's account. */
export function viewItemInFull(vault: Vault, item: ItemRow, now: Temporal.Instant) {
  const payer = openPayer(vault, item.movement_id, item.payer);
  return {
    ...viewItem(item, now),
    end_to_end_id: item.end_to_end_id,
    part_of: item.part_of,
    payer:
      payer === null
        ? null
        : {
            name: payer.name,
            sort_code: payer.sortCode,
            account_number: payer.accountNumber,
          },
    ended:
      item.ended_at === null
        ? null
        : {
            at: formatInstant(item.ended_at),
            by: item.ended_by,
            confirmed_by: item.confirmed_by,
            reason: item.end_reason,
          },
  };
}

/** Formats an age for people who look for the oldest items: "3 days 4 hours", "25 minutes". */
export function ageOf(since: Temporal.Instant, now: Temporal.Instant): string {
  const age = now.since(since).round({ largestUnit: 'hours', smallestUnit: 'minutes' });
  const days = Math.floor(age.hours / 24);
  const parts = [
    say(days, 'day'),
    say(age.hours % 24, 'hour'),
    say(days > 0 ? 0 : age.minutes, 'minute'),
  ];
  return parts.filter((part) => part !== '').join(' ') || 'less than a minute';
}

const say = (count: number, unit: string): string =>
  count <= 0 ? '' : `${count} ${unit}${count === 1 ? '' : 's'}`;
