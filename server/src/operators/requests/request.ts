import { type StateMachine, statuses } from '../../platform/state/state-machine.ts';
import type { OperatorRole } from '../access/books/roles.ts';

export const REQUEST_STATUSES = ['pending', 'agreed', 'taken_back', 'expired'] as const;
export type RequestStatus = (typeof REQUEST_STATUSES)[number];

export const REQUESTS: StateMachine<RequestStatus> = {
  noun: 'requests of operators',
  table: 'operator_requests',
  key: ['request_id'],
  states: statuses(...REQUEST_STATUSES),
  begins: ['pending'],
  edges: [
    { from: 'pending', to: 'agreed', why: 'a second operator agreed, and it is done' },
    { from: 'pending', to: 'taken_back', why: 'it was taken back, or who asked was removed' },
    { from: 'pending', to: 'expired', why: 'nobody agreed within seven days' },
  ],
};

/** How long a second operator can agree. */
export const REQUEST_LIVES = Temporal.Duration.from({ hours: 7 * 24 });

/** What takes two operators, and the role that both need. */
export const REQUEST_KINDS = {
  new_operator: 'security',
  operator_key: 'security',
  operator_email: 'security',
  operator_roles: 'security',
  user_reset: 'security',
  user_second_factor: 'security',
  user_removal: 'security',
  release_pay_outs: 'payments',
  merchant_fees: 'payments',
} as const satisfies Readonly<Record<string, OperatorRole>>;

export type RequestKind = keyof typeof REQUEST_KINDS;

/** The kinds, in the order of the documentation. */
export const KINDS = Object.keys(REQUEST_KINDS) as RequestKind[];

/** What is asked for, by kind. */
export interface RequestPayloads {
  new_operator: { name: string; roles: OperatorRole[]; email: string | null };
  operator_key: Record<string, never>;
  operator_email: { email: string };
  operator_roles: { roles: OperatorRole[] };
  user_reset: Record<string, never>;
  user_second_factor: Record<string, never>;
  user_removal: { merchantId: string | null; evenLastOwner: boolean };
  release_pay_outs: { changeId: string };
  merchant_fees: { fixedPence: number; basisPoints: number; day: string | null };
}

/** What is asked for, of one kind. */
export type RequestPayload = {
  [K in RequestKind]: { kind: K; wish: RequestPayloads[K] };
}[RequestKind];

/** What somebody asks for: of whom, what, and why. */
export type RequestInput = RequestPayload & { subject: string; reason: string };

/** A request; instants are business time. */
export type OperatorRequest = RequestPayload & {
  requestId: string;
  /** Whom or what it is about: the id of an operator, a user or a merchant; the name of a new operator. */
  subject: string;
  reason: string;
  /** `opr_…`, or `shell:<name>`. */
  askedBy: string;
  askedName: string;
  askedAt: Temporal.Instant;
  expiresAt: Temporal.Instant;
  status: RequestStatus;
  endedBy: string | null;
  endedAt: Temporal.Instant | null;
  endReason: string | null;
};

/** Says in a sentence what is asked for; `subject` as people call it. */
export function sentenceOf(asked: RequestPayload, subject: string): string {
  switch (asked.kind) {
    case 'new_operator': {
      const { name, roles, email } = asked.wish;
      return `Make ${name} an operator (${roles.join(', ')})${email === null ? '' : `, at ${email}`}`;
    }
    case 'operator_key':
      return `Send ${subject} a new first key`;
    case 'operator_email':
      return `Set the address of ${subject} to ${asked.wish.email}`;
    case 'operator_roles':
      return `Let ${subject} be ${asked.wish.roles.join(', ')}`;
    case 'user_reset':
      return `Reset the sign-in of ${subject}; their second factor stays`;
    case 'user_second_factor':
      return `Remove the second factor of ${subject}`;
    case 'user_removal':
      return asked.wish.merchantId === null
        ? `Delete the account of ${subject}`
        : `Remove ${subject} from ${asked.wish.merchantId}`;
    case 'release_pay_outs':
      return `Release the pay-outs of ${subject}`;
    case 'merchant_fees': {
      const { fixedPence, basisPoints } = asked.wish;
      return `Take ${fixedPence} pence and ${basisPoints / 100} % of each collection of ${subject}`;
    }
  }
}
