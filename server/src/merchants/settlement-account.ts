import { readActor } from '../platform/actor.ts';
import type { SettlementAccount } from './merchant.ts';
import type { Role } from './role.ts';

/** How long a change waits before it takes effect: time for the other owners to see it and cancel it. */
export const CHANGE_DELAY = Temporal.Duration.from({ hours: 24 });

/**
 * How long a member does not count as a second owner after another member made them an owner or could have set their password.
 */
export const CONFIRMING_DELAY = Temporal.Duration.from({ hours: 24 });

/** An account as shown where the full digits are not needed: only the last ones. */
export interface MaskedAccount {
  name: string;
  sort_code: string;
  account_number: string;
}

/** Returns the account with all but the last digits hidden. */
export function maskAccount({ name, sortCode, accountNumber }: SettlementAccount): MaskedAccount {
  return {
    name,
    sort_code: `••••${sortCode.slice(-2)}`,
    account_number: `••••${accountNumber.slice(-4)}`,
  };
}

/** Formats the masked account as one line, for the audit trail. */
export function accountWords(account: SettlementAccount): string {
  const { name, sort_code, account_number } = maskAccount(account);
  return `${name} ${sort_code} ${account_number}`;
}

export function isSameAccount(a: SettlementAccount, b: SettlementAccount): boolean {
  return a.sortCode === b.sortCode && a.accountNumber === b.accountNumber && a.name === b.name;
}

/** Returns why this member cannot be the second owner who puts a change into force at once; null: they can. */
export function whyNotConfirm(
  change: { requestedBy: string },
  member: { actor: string; role: Role; confirmsFrom: Temporal.Instant | null },
  now: Temporal.Instant,
): string | null {
  if (member.role !== 'owner') return 'Only an owner can confirm the change.';
  if (member.actor === change.requestedBy)
    return 'You asked for the change: another owner has to confirm it.';
  const { confirmsFrom } = member;
  if (confirmsFrom !== null && Temporal.Instant.compare(now, confirmsFrom) < 0)
    return (
      'Another member made you an owner, or made a link for your password, less than 24 hours ago. Until they have passed ' +
      'you cannot confirm a change.'
    );
  return null;
}

/** Whether an operator asked for a change: then a second operator has to agree. */
export const isByOperator = ({ requestedBy }: { requestedBy: string }): boolean =>
  readActor(requestedBy).type === 'operator';

/** Whether nobody has agreed yet with what an operator asked for. */
export const lacksSecond = (change: { requestedBy: string; agreedBy: string | null }): boolean =>
  isByOperator(change) && change.agreedBy === null;
