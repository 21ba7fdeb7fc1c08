import type { Tx } from '../../platform/db/db.ts';
import { type Route, route } from '../../platform/http/calls/route.ts';
import { IdParams } from '../../platform/http/schemas/schemas.ts';
import { orNotFound } from '../../platform/values/errors.ts';
import { payOutKey } from '../../settlements/settlement.ts';
import { ledgerEntries } from '../ledger-store.ts';
import { matchSettlements } from './match/service.ts';
import { StatementInput, StatementMatches } from './match/view.ts';
import { sumSettlement } from './store.ts';
import { SettlementLedger } from './view.ts';

/** What a statement may have, in bytes: it is read at once, while others wait. */
const STATEMENT_LIMIT = 1024 * 1024;

/**
 * Returns the routes that compare a merchant's settlements with its payments and the ledger (law of money 4), and with its bank
 * statement.
 */
export function dashboardSettlementRoutes(): Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/settlements/:id/ledger',
      summary: 'Hold a settlement against its payments and the ledger',
      tag: 'Dashboard',
      operationId: 'getSettlementLedger',
      scope: null,
      permission: 'read',
      params: IdParams,
      response: SettlementLedger,
      errors: ['not_found'],
      handle: ({ tx, merchantId, params }) => showLedger(tx, merchantId, params.id),
    }),
    {
      ...route({
        method: 'POST',
        path: '/api/settlements/match',
        summary: 'Find the settlement of each credit of a bank statement',
        description: 'Nothing is stored.',
        tag: 'Dashboard',
        operationId: 'matchStatement',
        scope: null,
        permission: 'read',
        proof: 'never',
        body: StatementInput,
        bodyLimit: STATEMENT_LIMIT,
        isUnlogged: true,
        response: StatementMatches,
        leavesWork: () => false,
        handle: (call) => matchSettlements(call, call.body.statement),
      }),
      keyless: true,
    },
  ];
}

async function showLedger(
  tx: Tx,
  merchantId: string,
  settlementId: string,
): Promise<SettlementLedger> {
  const sums = orNotFound(await sumSettlement(tx, merchantId, settlementId), 'settlement');
  const attempts = Array.from({ length: sums.attempts }, (_, i) => payOutKey(settlementId, i + 1));
  return {
    settlement: sums.amountPence,
    payments: { value: sums.paymentsPence, count: sums.paymentsCount },
    ledger: sums.ledgerPence,
    refunds: sums.refundsPence,
    fees: sums.feesPence,
    carried: sums.carriedPence,
    agrees:
      sums.amountPence ===
        sums.paymentsPence - sums.linesPence - sums.paymentFeesPence - sums.owedPence &&
      sums.amountPence === sums.ledgerPence,
    entries: await ledgerEntries(tx, merchantId, attempts, sums.currency),
    issuer_reference: sums.issuerMovementId,
  };
}
