import type { Static, TSchema } from 'typebox';
import { OperatorRefusal } from '../../payments/operator/decide.ts';
import { asActor } from '../../platform/db/db.ts';
import {
  type Call,
  type Caller,
  type NoFields,
  type Route,
  type RouteDefinition,
  route,
  routeWithOwnTransactions,
} from '../../platform/http/calls/route.ts';
import { Reason } from '../../platform/http/schemas/schemas.ts';
import type { Platform } from '../../platform/platform.ts';
import { operatorActor } from '../../platform/state/actor.ts';
import { ApiError, invalid } from '../../platform/values/errors.ts';
import type { Operator } from '../access/books/operator-key.ts';
import { OPERATOR_ROLES, type OperatorRole } from '../access/books/roles.ts';
import type { Disclosure } from './disclosure.ts';

/** One call of an operator. `tx` is its only transaction: it sees every merchant, and names the operator as the actor. */
export interface AdminCall<P, Q, B>
  extends Pick<Call<P, Q, B>, 'tx' | 'now' | 'params' | 'query' | 'body'> {
  operator: Operator;
}

/** An endpoint, whose path is without `/admin/v1`. */
type AdminDefinition<
  P extends TSchema,
  Q extends TSchema,
  B extends TSchema,
  R extends TSchema,
  C,
> = Omit<
  RouteDefinition<P, Q, B, R>,
  'handle' | 'leavesWork' | 'scope' | 'permission' | 'proof'
> & {
  /** What the operator needs; `auditor`: any role will do. */
  role: OperatorRole;
  /** The words of the command that calls it: `merchant list`. */
  command: string;
  /**
   * What a response shows of customers, for the audit trail; `recorded`: what it calls records it, whoever calls. Absent: nothing
   * that names one. Of a read, or of a change in its own transactions. docs/rules/privacy.md#who-looked-at-what
   */
  shows?:
    | 'recorded'
    | ((answer: Static<R>, call: Pick<C, keyof C & ('params' | 'query')>) => Disclosure[]);
  handle: (call: C) => Promise<Static<R>>;
};

type Shows =
  | 'recorded'
  | ((answer: unknown, call: { params: unknown; query: unknown }) => Disclosure[]);

/** An endpoint of the operators' API, the role that it takes, and what its responses show of customers. */
export interface AdminRoute extends Route {
  readonly role: OperatorRole;
  readonly shows?: Shows | undefined;
}

/** Where the operators' API lies. */
export const ADMIN = '/admin/v1';

/** Types an endpoint of the operators' API. */
export function adminRoute<
  R extends TSchema,
  P extends TSchema = NoFields,
  Q extends TSchema = NoFields,
  B extends TSchema = NoFields,
>({
  handle,
  ...definition
}: AdminDefinition<P, Q, B, R, AdminCall<Static<P>, Static<Q>, Static<B>>>): AdminRoute {
  const made = route({
    ...definition,
    ...described(definition),
    ...BY_OPERATORS,
    path: ADMIN + definition.path,
    handle: ({ tx, now, params, query, body, ...caller }) =>
      handle({ tx, now, operator: operatorOf(caller), params, query, body }),
  });
  return { ...made, role: definition.role, shows: definition.shows as Shows | undefined };
}

/** A call that calls partners: it has no transaction; those of `db` name the operator as the actor. */
export type AdminCallWithOwnTransactions<P, Q, B> = Omit<AdminCall<P, Q, B>, 'tx'> & {
  platform: Platform;
};

/**
 * Types an endpoint that does its work in transactions of its own, between which it calls banks or the issuer. A refusal of an
 * operator's decision is 409 `operation_refused`.
 */
export function adminRouteWithOwnTransactions<
  R extends TSchema,
  P extends TSchema = NoFields,
  Q extends TSchema = NoFields,
  B extends TSchema = NoFields,
>(
  platform: Platform,
  {
    handle,
    ...definition
  }: AdminDefinition<P, Q, B, R, AdminCallWithOwnTransactions<Static<P>, Static<Q>, Static<B>>>,
): AdminRoute {
  const made = routeWithOwnTransactions({
    ...definition,
    ...described(definition),
    ...BY_OPERATORS,
    path: ADMIN + definition.path,
    errors: [...(definition.errors ?? []), 'operation_refused'],
    async handle({ now, params, query, body, ...caller }) {
      const operator = operatorOf(caller);
      const db = asActor(platform.db, operatorActor(operator.name));
      try {
        return await handle({ platform: { ...platform, db }, now, operator, params, query, body });
      } catch (error) {
        if (!(error instanceof OperatorRefusal)) throw error;
        throw new ApiError('operation_refused', sentence(error.message));
      }
    },
  });
  return { ...made, role: definition.role, shows: definition.shows as Shows | undefined };
}

const operatorOf = ({ merchantId: operatorId, actorId: name, roles = [] }: Caller): Operator => ({
  operatorId,
  name,
  roles: OPERATOR_ROLES.filter((role) => roles.includes(role)),
});

/** An operator's role decides: neither an API key nor a member calls it. */
const BY_OPERATORS = { scope: null, permission: null, proof: null };

/** Adds to the description which role the endpoint takes. */
function described({ role, description = '' }: { role: OperatorRole; description?: string }) {
  const takes = role === 'auditor' ? 'Any role may.' : `Takes the role \`${role}\`.`;
  return { description: `${description} ${takes}`.trim() };
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

/** Why an operator decides something: every decision takes it. */
export const ADMIN_REASON = Reason('Why; kept in the audit trail.');

/** Reads a day such as 2026-12-01. Throws 400 `invalid_request` naming the field. */
export function readDay(field: string, text: string): Temporal.PlainDate {
  try {
    return Temporal.PlainDate.from(text);
  } catch {
    throw invalid({ [field]: 'must be a day such as 2026-12-01' });
  }
}
