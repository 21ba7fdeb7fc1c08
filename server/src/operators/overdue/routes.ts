import Type from 'typebox';
import { listOverdue } from '../../laws/invariants/overdue-store.ts';
import { pageOf, slicePage } from '../../platform/http/lists/page.ts';
import {
  Fields,
  IdParams,
  ListOf,
  ListQuery,
  NamedObject,
  OneOf,
} from '../../platform/http/schemas/schemas.ts';
import {
  ADMIN_REASON,
  type AdminRoute,
  adminRoute,
  adminRouteWithOwnTransactions,
} from '../admin/route.ts';
import { type EndingDeps, endOverdue } from './service.ts';
import { NOUNS, OverdueStateView, OverdueView, viewOverdue } from './view.ts';

const tag = 'Overdue';
/** More than this are overdue only when a whole partner is silent; the metrics count them. */
const MAX_LISTED = 1_000;

/** The endpoints that list what is overdue. */
export const overdueRoutes = (): AdminRoute[] => [
  adminRoute({
    method: 'GET',
    role: 'auditor',
    path: '/overdue/states',
    summary: 'Count what is overdue by its state, each with the oldest of it',
    description: `Of at most ${MAX_LISTED}, the oldest.`,
    tag,
    operationId: 'countOverdue',
    command: 'overdue states',
    response: NamedObject('OverdueStates', { data: Type.Array(OverdueStateView) }),
    async handle({ tx, now }) {
      const all = (await listOverdue(tx, now, MAX_LISTED)).map((one) => viewOverdue(one, now));
      const byState = Map.groupBy(all, ({ noun, state }) => `${noun} ${state}`);
      return {
        data: [...byState.values()].flatMap((some) => {
          const [oldest] = some;
          if (oldest === undefined) return [];
          return [{ noun: oldest.noun, state: oldest.state, count: some.length, oldest }];
        }),
      };
    },
  }),
  adminRoute({
    method: 'GET',
    role: 'auditor',
    path: '/overdue',
    summary: 'List whatever has not come to its end in time, oldest first',
    description: `At most ${MAX_LISTED} are listed. Unallocated money has its own list.`,
    tag,
    operationId: 'listOverdue',
    command: 'overdue list',
    query: ListQuery,
    response: ListOf(OverdueView),
    async handle(call) {
      const { tx, now } = call;
      const all = (await listOverdue(tx, now, MAX_LISTED)).map((one) => viewOverdue(one, now));
      return slicePage('overdue', all, pageOf(call), ({ noun, id }) => `${noun} ${id}`);
    },
  }),
];

/** The endpoint that ends something overdue by an operator's word. */
export const endOverdueRoute = (deps: EndingDeps): AdminRoute =>
  adminRouteWithOwnTransactions(deps.platform, {
    method: 'POST',
    role: 'payments',
    path: '/overdue/:id/end',
    summary: 'End something overdue by the word of an operator, with evidence',
    description: 'The issuer and the bank are asked first, where they can be.',
    tag,
    operationId: 'endOverdue',
    command: 'overdue end',
    params: IdParams,
    body: Fields({
      noun: OneOf(NOUNS as [string, ...string[]]),
      outcome: OneOf(['done', 'not_done'], 'Whether it has happened, or has not and will not.'),
      reason: ADMIN_REASON,
      evidence: Type.Optional(
        Type.String({ minLength: 1, maxLength: 500, description: 'What proves it.' }),
      ),
    }),
    response: NamedObject('OverdueEnded', { id: Type.String(), noun: Type.String() }),
    async handle({ platform, operator, params, body }) {
      const { noun, outcome, reason, evidence } = body as {
        noun: string;
        outcome: 'done' | 'not_done';
        reason: string;
        evidence?: string;
      };
      const word = { by: operator.name, reason, outcome, ...(evidence && { evidence }) };
      await endOverdue({ ...deps, platform }, { noun, id: params.id }, word);
      return { id: params.id, noun };
    },
  });
