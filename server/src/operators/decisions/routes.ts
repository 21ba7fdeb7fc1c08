import Type from 'typebox';
import { IdQuery, SearchQuery, SortBy } from '../../platform/http/lists/list-filters.ts';
import { pageOf, slicePage } from '../../platform/http/lists/page.ts';
import {
  Fields,
  ListQuery,
  MoneyListOf,
  OneOf,
  SUM_QUERY,
} from '../../platform/http/schemas/schemas.ts';
import { orNotFound } from '../../platform/values/errors.ts';
import { type AdminRoute, adminRoute } from '../admin/route.ts';
import { CASE_SORTS, DECISION_KINDS, type DecisionKind } from './case.ts';
import { MAX_OF_A_KIND } from './list.ts';
import { type DecisionDeps, listDecisions, showDecision } from './service.ts';
import { DecisionView, disclosuresOf, FullDecisionView } from './view.ts';

const tag = 'Decisions';

/** The endpoints of the one queue of everything that waits for an operator. */
export const decisionRoutes = (deps: DecisionDeps): AdminRoute[] => [
  adminRoute({
    method: 'GET',
    role: 'auditor',
    path: '/decisions',
    summary: 'List everything that needs a decision, oldest or greatest first',
    description:
      'Each thing once: money that came in another amount is one decision with its payment. ' +
      `At most ${MAX_OF_A_KIND} of each kind are listed. The decisions themselves are the endpoints of what they are about.`,
    tag,
    operationId: 'listDecisions',
    command: 'decision list',
    query: Fields({
      ...ListQuery.properties,
      ...SUM_QUERY,
      q: SearchQuery('a part of the sentence, an amount such as 29.98, an id, or the merchant'),
      kind: Type.Optional(OneOf(DECISION_KINDS, 'Only those about this.')),
      merchant_id: IdQuery('Only those of this merchant.'),
      sort: SortBy(CASE_SORTS),
    }),
    response: MoneyListOf(DecisionView),
    async handle(call) {
      const { kind, merchant_id: merchantId, q, sort } = call.query;
      const filter = { kind, merchantId, q, sort };
      const all = await listDecisions(deps, call.tx, call.now, filter);
      const page = pageOf(call);
      const pence = all.reduce((sum, { amount }) => sum + (amount?.value ?? 0), 0);
      return {
        ...slicePage('decisions', all, page, (one) => `${one.kind} ${one.id}`),
        ...(page.isSummed && { total_amount: { value: pence, currency: 'GBP' } }),
      };
    },
  }),
  adminRoute({
    method: 'GET',
    role: 'auditor',
    path: '/decisions/:kind/:id',
    summary:
      'Read one with the evidence: what was expected and came, the bank, the issuer, our books',
    description: 'Money that no payment awaits is shown after its decision too.',
    tag,
    operationId: 'getDecision',
    command: 'decision show',
    params: Type.Object({ kind: OneOf(DECISION_KINDS), id: Type.String() }),
    response: FullDecisionView,
    shows: disclosuresOf,
    errors: ['not_found'],
    async handle({ tx, now, params }) {
      const kind = params.kind as DecisionKind;
      return orNotFound(await showDecision(deps, tx, now, kind, params.id), 'decision');
    },
  }),
];
