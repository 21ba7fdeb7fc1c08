import { hasEdge, type StateMachine, statuses } from '../../platform/state/state-machine.ts';
import { type Person, whyNoPair, whyNotAsk } from '../../platform/two-people/pair.ts';
import type { UnallocatedReason } from './allocation.ts';
import type { Receiving } from './payment.ts';

export const ITEM_STATUSES = [
  'open',
  'allocated',
  'accepted_in_part',
  'returned',
  'paid_on',
  'credited',
] as const;
/** The status of an item of the unallocated list; all but `open` are final. */
export type ItemStatus = (typeof ITEM_STATUSES)[number];
export type ItemEnd = Exclude<ItemStatus, 'open'>;

/** The state machine of an item of the unallocated list. */
export const ITEMS: StateMachine<ItemStatus> = {
  noun: 'unallocated items',
  table: 'unallocated_items',
  key: ['merchant_id', 'item_id'],
  states: statuses(...ITEM_STATUSES),
  begins: ['open'],
  edges: [
    { from: 'open', to: 'allocated', why: 'it pays for a payment, whole' },
    { from: 'open', to: 'accepted_in_part', why: 'it pays for a payment of another amount' },
    { from: 'open', to: 'returned', why: 'it went back to who paid it' },
    { from: 'open', to: 'paid_on', why: 'it was paid on by hand to whom it is owed' },
    { from: 'open', to: 'credited', why: "it is the merchant's, and goes out with a settlement" },
  ],
};

/** Why money is on the list, in plain words. */
export const REASONS: Readonly<Record<UnallocatedReason, string>> = {
  nothing_awaited: 'no payment of this wallet awaits this amount',
  another_amount: 'the amount differs from what was asked for',
  another_wallet: 'it names a payment of another wallet',
  paid_already: 'the payment is paid already',
  later_attempt: 'it pays for an earlier attempt, while a later one is with the bank',
  left_over: 'it is left over from an amount that was too high',
  came_back: 'it was paid out, and came back',
  not_transferred: "it could not be transferred to the merchant's wallet",
};

/** Why a payment is collected no more whose money was paid on by hand. */
export const PAID_BY_HAND = {
  code: 'paid_by_hand',
  message: 'Its money came another way, and was paid to you by hand.',
};

/** As the payment of a decision to pay money on: it settles none. */
export const NO_PAYMENT = 'none';

/** An operator's decision on an item. */
export interface Decision {
  end: ItemEnd;
  /**
   * The payment that the money pays for, or that money paid on settles: null keeps the guess, `NO_PAYMENT` says that it is
   * none. Null for the other ends.
   */
  paymentId: string | null;
  by: string;
  /** The same as a person (`two-people/pair.ts`). */
  byId: string;
  reason: string;
}

/** A decision that awaits a second person; `byId` is absent where an earlier version stored it: then it is made again. */
export type Proposal = Omit<Decision, 'byId'> & { byId?: string; at: string };

/** Who decides, and who proposed the same before; null: nobody did, or nobody known who still may. */
export interface Deciders {
  person: Person;
  proposer: Person | null;
  now: Temporal.Instant;
}

export type Ruling =
  | { kind: 'done'; firstBy: string | null }
  | { kind: 'waits' }
  | { kind: 'refused'; why: string };

/** Whether a decision takes effect: above `mostAlone` pence, two people must make the same one. */
export function rule(
  item: {
    status: ItemStatus;
    amountPence: number;
    paymentId: string | null;
    proposed: Proposal | null;
  },
  decision: Decision,
  mostAlone: number,
  { person, proposer, now }: Deciders,
): Ruling {
  if (!hasEdge(ITEMS, item.status, decision.end)) return { kind: 'refused', why: endedWords(item) };
  if (item.amountPence <= mostAlone) return { kind: 'done', firstBy: null };
  const isTooNew = whyNotAsk(person, now);
  if (isTooNew !== null) return { kind: 'refused', why: isTooNew };
  const { proposed } = item;
  if (proposed === null || proposer === null || !isSame(proposed, decision))
    return { kind: 'waits' };
  const askedAt = Temporal.Instant.from(proposed.at);
  const why = whyNoPair({ asker: proposer, askedAt, second: person, now });
  return why === null ? { kind: 'done', firstBy: proposed.by } : { kind: 'refused', why };
}

function endedWords({
  status,
  paymentId,
}: {
  status: ItemStatus;
  paymentId: string | null;
}): string {
  if (status === 'returned') return 'its return is booked already';
  if (status === 'paid_on') return 'it was paid on already';
  if (status === 'credited') return "it was added to the merchant's balance already";
  return `it has paid for the payment ${paymentId}`;
}

const isSame = (a: Proposal, b: Decision): boolean =>
  a.end === b.end && a.paymentId === b.paymentId;

/** A payment that may receive unallocated money. */
export type Receiver = Pick<
  Receiving,
  'paymentId' | 'walletId' | 'amountPence' | 'status' | 'stage' | 'attempt'
>;

/** The facts of an item that matter when its money is assigned. */
export interface ItemToAssign {
  walletId: string;
  amountPence: number;
  reason: UnallocatedReason;
  paymentId: string | null;
  attempt: number | null;
}

/** Returns the attempt of a payment to which an item's money is booked, or why that payment cannot receive it. */
export function attemptFor(
  item: ItemToAssign,
  payment: Receiver,
  end: 'allocated' | 'accepted_in_part',
): { attempt: number } | { why: string } {
  const name = `the payment ${payment.paymentId}`;
  if (item.reason === 'left_over') return { why: 'it is left over: return it, or pay it on' };
  if (item.walletId !== payment.walletId)
    return {
      why: `the money lies in another wallet than that of ${name}: return it, or pay it on`,
    };
  if (payment.status === 'success') return { why: `${name} is paid already` };
  if (payment.stage === 'move') return { why: `the money of ${name} has come, and is on its way` };
  if (payment.attempt === 0) return { why: `nothing was sent to a bank for ${name}` };
  const isWhole = item.amountPence === payment.amountPence;
  if (end === 'allocated' && !isWhole)
    return { why: `${name} is of ${payment.amountPence} pence: accept the money in part` };
  if (end === 'accepted_in_part' && isWhole)
    return { why: `it is the whole amount of ${name}: allocate it` };
  const isGuess = item.paymentId === payment.paymentId && payment.status !== 'processing';
  return { attempt: (isGuess ? item.attempt : null) ?? payment.attempt };
}
