import Type, { type Static } from 'typebox';
import { whyKeyMayNot } from '../../merchants/scope.ts';
import { asActor } from '../../platform/db/db.ts';
import { type Route, routeWithOwnTransactions } from '../../platform/http/calls/route.ts';
import { IdParams, NamedObject, OneOf, Text } from '../../platform/http/schemas/schemas.ts';
import { actorOf } from '../../platform/state/actor.ts';
import { ApiError } from '../../platform/values/errors.ts';
import { digest } from './pack.ts';
import { type CaseFileDeps, type TakenFile, takeCaseFile } from './service.ts';

/** A case file in a response of JSON. */
export const CaseFileAnswer = NamedObject(
  'CaseFile',
  {
    name: Type.String({
      description: 'What to save it as.',
      examples: ['case-file-dsp_032atfSALfDo4duUde5x6C.zip'],
    }),
    media_type: OneOf(['application/zip'], 'What `content` is.'),
    sha256: Text('The SHA-256 of its bytes, in hex.'),
    content: Type.String({
      contentEncoding: 'base64',
      description:
        'The zip file in base64: `case.json`, `case.pdf`, an index with their digests, and its signature. Who has only the ' +
        'file can verify it with the public keys at `/.well-known/case-file-keys.json`.',
    }),
  },
  'Everything that proves a disputed payment, signed.',
);

/** Returns a case file in the form in which JSON carries it. */
export const viewCaseFile = ({ name, bytes }: TakenFile): Static<typeof CaseFileAnswer> => ({
  name,
  media_type: 'application/zip',
  sha256: digest(bytes),
  content: bytes.toString('base64'),
});

/** The endpoint of the case file: docs/rules/disputes.md#the-case-file. */
export function caseFileRoutes(deps: CaseFileDeps): Route[] {
  return [
    routeWithOwnTransactions({
      method: 'GET',
      path: '/api/v1/disputes/:id/file',
      summary: 'Get the case file of a dispute',
      description:
        'The terms as shown, the consent at the bank, each order and answer, what the banks say now with their signatures, ' +
        'what was notified, money and ledger, withdrawals, as JSON and PDF, signed. Each call makes it from what is on ' +
        'record, out of the archive too; who took it is in the audit trail. It names the customer and the account that ' +
        'paid: a key needs the scope `customers` too, and a maker who may refund payments.',
      tag: 'Disputes',
      operationId: 'getCaseFile',
      scope: 'payments',
      permission: 'refund_payments',
      isUnlogged: true,
      params: IdParams,
      response: CaseFileAnswer,
      errors: ['not_found'],
      handle: async ({ now, merchantId, actorId, key, params }) => {
        const problem =
          key === undefined ? null : whyKeyMayNot(key, 'customers', 'refund_payments');
        if (problem !== null) throw new ApiError('forbidden', problem);
        const db = asActor(deps.platform.db, actorOf(actorId));
        return viewCaseFile(
          await takeCaseFile(deps, {
            now,
            merchantId,
            disputeId: params.id,
            transact: (work) => db.forMerchant(merchantId, work),
          }),
        );
      },
    }),
  ];
}
