import { edges, type StateMachine } from '../platform/state/state-machine.ts';
import { derivedId } from '../platform/values/ids.ts';
import type { Vault } from '../platform/vault/vault.ts';
import { payOutMoment } from './settlement-day.ts';

/** See docs/rules/settlements.md#statuses. */
export const SETTLEMENT_STATUSES = ['pending', 'processing', 'success', 'failed'] as const;
export type SettlementStatus = (typeof SETTLEMENT_STATUSES)[number];

/**
 * Status and stage in one: `asked` was ordered with an unknown outcome; the money of `passed_on` goes out with a later
 * settlement; `differs` waits for a person.
 */
export type SettlementState =
  | 'pending'
  | 'asked'
  | 'track'
  | 'differs'
  | 'success'
  | 'failed'
  | 'passed_on';

export const SETTLEMENTS: StateMachine<SettlementState> = {
  noun: 'settlements',
  table: 'settlements',
  key: ['merchant_id', 'settlement_id'],
  states: {
    pending: { status: 'pending', stage: 'pay' },
    asked: { status: 'processing', stage: 'pay' },
    track: { status: 'processing', stage: 'track' },
    differs: { status: 'processing', stage: null },
    success: { status: 'success', stage: null },
    failed: { status: 'failed', stage: 'carry' },
    passed_on: { status: 'failed', stage: null },
  },
  begins: ['pending'],
  edges: [
    ...edges(['pending', 'asked'], 'asked', 'the issuer was asked, its answer is not known'),
    ...edges(['pending', 'asked', 'track'], 'track', 'the issuer has the pay-out'),
    ...edges(
      ['pending', 'asked', 'track'],
      'differs',
      'the issuer has another amount under its key',
    ),
    { from: 'differs', to: 'asked', why: 'an operator has the issuer asked again' },
    {
      from: 'differs',
      to: 'success',
      why: 'an operator knows that it is paid out',
      event: 'settlement.success',
    },
    {
      from: 'differs',
      to: 'failed',
      why: 'an operator knows that it is not paid out',
      event: 'settlement.failed',
    },
    ...edges(['pending', 'asked', 'track'], 'success', 'paid out', 'settlement.success'),
    ...edges(['pending', 'asked', 'track'], 'failed', 'not paid out', 'settlement.failed'),
    { from: 'success', to: 'failed', why: 'the pay-out came back', event: 'settlement.failed' },
    { from: 'failed', to: 'pending', why: 'retried by hand' },
    { from: 'failed', to: 'passed_on', why: 'its money goes out with a later settlement' },
  ],
};

/** The account to which a merchant's money is paid out. */
export interface Destination {
  sortCode: string;
  accountNumber: string;
  name: string;
}

/**
 * Derives the id of a settlement from its merchant, day and part, so that a database which has lost the settlement opens it
 * under the same id, and the issuer recognises a pay-out that it already has.
 */
export function settlementIdOf(
  vault: Vault,
  { merchantId, day, part }: { merchantId: string; day: Temporal.PlainDate; part: number },
): string {
  return derivedId(
    'set',
    payOutMoment(day),
    vault.index(`${merchantId} ${day} ${part}`, 'settlement-id'),
  );
}

/** Letters and digits that nobody takes for another, without vowels: they spell no word that a bank refuses. */
const CODE_DIGITS = 'BCDFGHJKLMNPQRSTVWXZ23456789';
const CODE_LENGTH = 8;

/**
 * Derives what stands on the merchant's bank statement: `S`, the day, and a code, such as `S260330K7M2Q9XB`. No two settlements
 * of a merchant have the same one. See docs/rules/settlements.md#statement-reference.
 */
export function statementReferenceOf(
  vault: Vault,
  { merchantId, day, part }: { merchantId: string; day: Temporal.PlainDate; part: number },
): string {
  const digest = vault.index(`${merchantId} ${day}`, 'settlement-reference');
  let rest = digest.readUIntBE(0, 6) + part;
  let code = '';
  while (code.length < CODE_LENGTH) {
    code = CODE_DIGITS.charAt(rest % CODE_DIGITS.length) + code;
    rest = Math.floor(rest / CODE_DIGITS.length);
  }
  return `S${day.toString().slice(2).replaceAll('-', '')}${code}`;
}

/** Returns the reference that pay-outs of earlier versions carry. */
const endOfId = (settlementId: string): string => settlementId.slice(-18);

/** What of a settlement says its reference. */
export interface Referenced {
  settlementId: string;
  /** Null: an earlier version opened it. */
  statementReference: string | null;
  /** Under which reference the issuer says that it has the pay-out, where it is another one; null: it is not. */
  issuerReference: string | null;
}

/** Returns the reference under which every attempt is ordered. */
export const orderedReference = ({
  settlementId,
  statementReference: own,
}: Pick<Referenced, 'settlementId' | 'statementReference'>): string => own ?? endOfId(settlementId);

/** Returns what stands on the merchant's bank statement: what the issuer says, where it is another one than was ordered. */
export const statementReference = (settlement: Referenced): string =>
  settlement.issuerReference ?? orderedReference(settlement);

/** What a pay-out may carry: anything else that an issuer says is not what stands on a statement. */
const REFERENCE = /^[A-Za-z0-9]{6,18}$/;

/** Returns what an issuer's answer says of the reference, to be kept beside ours. `named` absent: the answer names none. */
export function issuerReferenceIn(
  settlement: Referenced,
  named: string | undefined,
): string | null {
  if (named === undefined || !REFERENCE.test(named)) return settlement.issuerReference;
  return named === orderedReference(settlement) ? null : named;
}

/** Returns every reference under which the issuer may have a pay-out: an earlier version may have ordered it, beside this one. */
export const possibleReferences = (settlement: Referenced): string[] => [
  ...new Set([
    orderedReference(settlement),
    endOfId(settlement.settlementId),
    statementReference(settlement),
  ]),
];

/** Returns what counts of a text that is compared with references: its letters and digits, in capitals. */
export const referenceLetters = (text: string): string =>
  text.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');

/** Returns the key of one attempt to pay a settlement out: the issuer's idempotency key, and the source of its postings. */
export function payOutKey(settlementId: string, attempt: number): string {
  return `${settlementId}-${attempt}`;
}

/** Whether a key is that of an attempt to pay this settlement out. */
export const isPayOutKeyOf = (settlementId: string, key: string): boolean =>
  key.startsWith(`${settlementId}-`);
