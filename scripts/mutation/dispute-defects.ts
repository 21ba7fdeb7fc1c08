import type { Defect } from './defect.ts';

/** Mistakes about disputes: the money goes back twice, late, or not at all. */
export const DISPUTE_DEFECTS: readonly Defect[] = [
  {
    name: 'a dispute is paid what its payment gave back meanwhile',
    file: 'disputes/dispute.ts',
    from: 'return Math.min(left, claim.amountPence - cameBackOf(claim, payment));',
    to: 'return Math.min(left, claim.amountPence);',
    test: 'server/src/disputes/dispute.test.ts',
  },
  {
    name: 'a disputed payment that nobody authorised has two business days',
    file: 'disputes/dispute.ts',
    from: 'NOT_AUTHORISED.includes(reason) ? 1 :',
    to: 'NOT_AUTHORISED.includes(reason) ? 2 :',
    test: 'server/src/disputes/dispute.test.ts',
  },
  {
    name: 'a dispute stays open when the money of its waiting refund is set apart',
    file: 'disputes/from-refunds.ts',
    from: "row?.status === 'open' && row.refundId === refundId",
    to: "row?.status === 'open' && row.refundId !== refundId",
    test: 'test/scenarios/waiting-disputes.test.ts',
  },
  {
    name: 'a dispute that is withdrawn is still refunded once the wallet has its money',
    file: 'disputes/service.ts',
    from: 'await stopWaitingRefund(deps, asked, row);\n  const end =',
    to: 'void stopWaitingRefund;\n  const end =',
    test: 'test/scenarios/waiting-disputes.test.ts',
  },
  {
    name: 'a dispute counts on a refund that came back',
    file: 'disputes/from-refunds.ts',
    from: "if (row.status !== 'refunded') return;",
    to: "if (row.status !== 'refunded' || refundId !== '') return;",
    test: 'test/scenarios/disputes.test.ts',
  },
];
