import Type from 'typebox';
import { CaseFileAnswer, viewCaseFile } from '../../disputes/case-file/routes.ts';
import { type CaseFileDeps, takeCaseFile } from '../../disputes/case-file/service.ts';
import { DISPUTE_STATUSES } from '../../disputes/dispute.ts';
import { mapList, pageOf } from '../../platform/http/lists/page.ts';
import { Fields, IdParams, ListOf, ListQuery, OneOf } from '../../platform/http/schemas/schemas.ts';
import { orNotFound } from '../../platform/values/errors.ts';
import {
  ADMIN_REASON,
  type AdminRoute,
  adminRoute,
  adminRouteWithOwnTransactions,
} from '../admin/route.ts';
import { listDisputesOfAll, merchantOfDispute } from './store.ts';
import { DisputeOfAllView, viewDisputeOfAll } from './view.ts';

const tag = 'Disputes';

/** The endpoints of the disputes of all merchants: docs/rules/disputes.md#who-is-told. */
export const disputeRoutes = (caseFiles: CaseFileDeps): AdminRoute[] => [
  adminRoute({
    method: 'GET',
    role: 'auditor',
    path: '/disputes',
    summary: 'List disputes of all merchants, the nearest deadline first',
    description: 'Merchants answer them. Nothing that names a customer is shown.',
    tag,
    operationId: 'listDisputesOfAll',
    command: 'dispute list',
    query: Fields({
      ...ListQuery.properties,
      status: Type.Optional(
        OneOf(DISPUTE_STATUSES, 'Only disputes in this status. Default: `open`.'),
      ),
    }),
    response: ListOf(DisputeOfAllView),
    handle: async (call) =>
      mapList(
        await listDisputesOfAll(call.tx, call.query.status ?? 'open', pageOf(call)),
        viewDisputeOfAll,
      ),
  }),
  adminRouteWithOwnTransactions(caseFiles.platform, {
    method: 'POST',
    role: 'support',
    path: '/disputes/:id/file',
    summary: 'Take the case file of a dispute',
    description:
      'It names the customer. Who took it, and why, is in the audit trail and the activity.',
    tag,
    operationId: 'takeCaseFile',
    command: 'dispute file',
    shows: 'recorded',
    isUnlogged: true,
    params: IdParams,
    body: Fields({ reason: ADMIN_REASON }),
    response: CaseFileAnswer,
    errors: ['not_found'],
    async handle({ platform: { db }, now, params: { id }, body: { reason } }) {
      const merchantId = orNotFound(
        await db.transaction((tx) => merchantOfDispute(tx, id)),
        'dispute',
      );
      const transact = db.transaction;
      const taking = { now, merchantId, disputeId: id, reason, transact };
      return viewCaseFile(await takeCaseFile(caseFiles, taking));
    },
  }),
];
