import { readActor } from '../../platform/state/actor.ts';
import { type StateMachine, statuses } from '../../platform/state/state-machine.ts';
import type { SettlementAccount } from '../merchant.ts';

export type AccountChangeStatus = 'pending' | 'in_force' | 'taken_back';

/** The states of a change of the account that settlements are paid to. */
export const ACCOUNT_CHANGES: StateMachine<AccountChangeStatus> = {
  noun: 'changes of the settlement account',
  table: 'settlement_account_changes',
  key: ['merchant_id', 'change_id'],
  states: statuses('pending', 'in_force', 'taken_back'),
  begins: ['pending'],
  edges: [
    {
      from: 'pending',
      to: 'in_force',
      why: 'a second owner confirmed it, or 24 hours have passed',
      event: 'merchant.settlement_account_changed',
    },
    {
      from: 'pending',
      to: 'taken_back',
      why: 'it was taken back or replaced, nobody agreed, or who asked may not any more',
    },
  ],
};

/** How long a change waits before it takes effect: time for the other owners to see it and cancel it. */
export const CHANGE_DELAY = Temporal.Duration.from({ hours: 24 });

/**
 * How long pay-outs wait after one owner alone has asked for another account, counted from when it was asked for:
 * docs/rules/holds.md#a-new-account.
 */
export const HELD_AFTER_ASKING = Temporal.Duration.from({ hours: 72 });

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

/** Whether an operator asked for a change: then a second operator has to agree. */
export const isByOperator = ({ requestedBy }: { requestedBy: string }): boolean =>
  readActor(requestedBy).type === 'operator';

/** Whether nobody has agreed yet with what an operator asked for. */
export const lacksSecond = (change: { requestedBy: string; agreedBy: string | null }): boolean =>
  isByOperator(change) && change.agreedBy === null;
