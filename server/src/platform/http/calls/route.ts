import type { FastifyInstance } from 'fastify';
import type { Static, TObject, TSchema } from 'typebox';
import type { AskedBy } from '../../platform.ts';
import type { ErrorCode } from '../../values/errors.ts';
import type { Permission, Proof, Scope } from './access.ts';

/** The caller: a merchant, and the API key or team member that acts for it. */
export interface Caller {
  readonly merchantId: string;
  /** The id of the API key or of the user. */
  readonly actorId: string;
  /** The address that a request came from, if its API key may not be used from there: the request is refused. */
  readonly refusedFrom?: string;
  /** What the API key may do. Absent: the caller is a member, whose role the dashboard checks. */
  readonly key?: KeyAuthority;
  /** The name that the program behind the API key gave itself; absent or empty: none. */
  readonly agent?: string;
  /** Whether a member's role lets them pass on customers' links. Absent: the caller is an API key. */
  readonly maySeeLinks?: boolean;
  /** What an operator may do. Absent: the caller is no operator. */
  readonly roles?: readonly string[];
  /** Whether a member came in through the merchant's identity provider, and so acts for this merchant alone. */
  readonly usesSso?: boolean;
  /** Whether a member has just proved who they are, with password and second factor. Absent: the caller is an API key. */
  readonly hasProved?: boolean;
}

/** What an API key may do, and on whose authority. */
export interface KeyAuthority {
  scopes: readonly string[];
  /** The member responsible for it, and their current role; null: the operator made it. */
  maker: { userId: string; role: string } | null;
  /** The key has limits on what it may do on its own. */
  isLimited?: true;
}

/** One authenticated call of an endpoint. `tx` is its only transaction, confined to the caller's merchant. */
export interface Call<P, Q, B> extends Caller, AskedBy {
  params: P;
  query: Q;
  body: B;
  /** The `Idempotency-Key` of a change; null if none was sent. */
  idempotencyKey: string | null;
}

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

// biome-ignore lint/complexity/noBannedTypes: an object schema without properties
export type NoFields = TObject<{}>;

/** A read, or a change with the proof that it wants of a member; null: no member calls it. */
type Reading = { method: 'GET'; proof?: null };
type Changing = { method: Exclude<Method, 'GET'>; proof: Proof | null };

/** What a slice defines for one endpoint of the API: one source for validation, types and documentation. */
export type RouteDefinition<
  P extends TSchema,
  Q extends TSchema,
  B extends TSchema,
  R extends TSchema,
> = Endpoint<P, Q, B, R> & (Reading | Changing);

interface Endpoint<P extends TSchema, Q extends TSchema, B extends TSchema, R extends TSchema> {
  /** In Fastify's syntax: `/api/v1/schedules/:id`. */
  path: string;
  summary: string;
  description?: string;
  tag: string;
  operationId: string;
  /** The command of `recollect` that calls it: the document has it as `x-cli`. */
  command?: string;
  /** What an API key needs to call it; `any`: every key may, whatever its scopes; null: no key calls it. */
  scope: Scope | 'any' | null;
  /** What a member's role needs to call it; null: no member calls it. */
  permission: Permission | null;
  params?: P;
  query?: Q;
  body?: B;
  /** The most bytes of a body; absent: as many as everywhere. */
  bodyLimit?: number;
  /** A call is not in the request log: nothing of what it sends or gets may be kept. */
  isUnlogged?: boolean;
  /** The body of the response, always with status 200. */
  response: R;
  /** Wrong fields (dotted path → message) of the raw body, whatever its shape; merged with the schema's own. */
  check?: (body: unknown, now: Temporal.Instant) => Record<string, string>;
  /** The errors that this endpoint adds to those of every endpoint; they are documented. */
  errors?: readonly ErrorCode[];
  /** Whether a change leaves work that is due at once, so that the engine is woken. Default: every change does. */
  leavesWork?: (result: Static<R>) => boolean;
  /**
   * Does the call within its transaction; an `ApiError` rolls it back and becomes the response. It may run more than once
   * (after a deadlock), so it must touch nothing but the transaction.
   */
  handle: (call: Call<Static<P>, Static<Q>, Static<B>>) => Promise<Static<R>>;
}

/** An endpoint without its types: what the server mounts. */
export interface Route
  extends Readonly<Omit<Endpoint<TSchema, TSchema, TSchema, TSchema>, 'leavesWork' | 'handle'>> {
  readonly method: Method;
  readonly proof?: Proof | null;
  leavesWork?(result: unknown): boolean;
  handle(call: Call<unknown, unknown, unknown>): Promise<unknown>;
  /**
   * Does the call instead of `handle`, in transactions of its own, between which it calls partners. It must take effect once by
   * itself: a repeat that comes before the answer of the first is stored runs again.
   */
  apart?(call: CallWithOwnTransactions<unknown, unknown, unknown>): Promise<unknown>;
  /** A change that takes no `Idempotency-Key`: a repeat does no harm. */
  readonly keyless?: boolean;
}

/** A call without a transaction, because it may take long. */
export type CallWithOwnTransactions<P, Q, B> = Omit<Call<P, Q, B>, 'tx'>;

/** Routes beside the API, without its authentication: pages, notifications. */
export type PlainRoutes = (app: FastifyInstance) => void | Promise<void>;

/** Types an endpoint: its handler gets the types of its schemas. */
export function route<
  R extends TSchema,
  P extends TSchema = NoFields,
  Q extends TSchema = NoFields,
  B extends TSchema = NoFields,
>(definition: RouteDefinition<P, Q, B, R>): Route {
  return definition;
}

/** Types an endpoint that does its work in transactions of its own, between which it calls partners. */
export function routeWithOwnTransactions<
  R extends TSchema,
  P extends TSchema = NoFields,
  Q extends TSchema = NoFields,
  B extends TSchema = NoFields,
>({
  handle,
  ...definition
}: Omit<Endpoint<P, Q, B, R>, 'handle'> &
  (Reading | Changing) &
  Pick<Route, 'keyless'> & {
    handle: (call: CallWithOwnTransactions<Static<P>, Static<Q>, Static<B>>) => Promise<Static<R>>;
  }): Route {
  return {
    ...definition,
    async handle() {
      throw new Error(`${definition.operationId} does its work apart from the call's transaction`);
    },
    apart: handle,
  };
}
