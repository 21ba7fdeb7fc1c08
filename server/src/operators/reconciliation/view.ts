import Type, { type Static } from 'typebox';
import type { ItemRow } from '../../laws/reconciliation/reconciliation-store.ts';
import type { StoredReport } from '../../laws/reconciliation/report-store.ts';
import { Instant, NamedObject, OrNull } from '../../platform/http/schemas/schemas.ts';
import { formatInstant } from '../../platform/time/calendar.ts';

const Day = Type.String({ examples: ['2026-11-23'] });
const Pence = Type.Integer();

const properties = {
  date: Day,
  made_at: Instant,
  lines: Type.Integer({ description: "Lines of the issuer's statement." }),
  open_differences: Type.Integer({ description: 'How many were open after it.' }),
  unknown: OrNull(Type.String({ description: 'What could not be compared, and why.' })),
  unknown_since: OrNull(Instant),
  totals: NamedObject('BookTotals', {
    wallets_pence: Pence,
    in_settlement_pence: Pence,
    unallocated_pence: Pence,
    fees_pence: Pence,
    claims_pence: Pence,
    owed_pence: Pence,
    outside_pence: Pence,
  }),
};
/** The report of a day. */
export const ReportView = NamedObject('ReconciliationReport', properties);

export type ReportView = Static<typeof ReportView>;

/** A difference between the books and the issuer's. */
export const DifferenceView = NamedObject('Difference', {
  item: Type.String({ description: 'Its name, by which it is resolved.' }),
  date: Day,
  merchant_id: OrNull(Type.String()),
  amount_pence: OrNull(Type.Integer()),
  what: Type.String(),
  found_at: Instant,
  resolved_at: OrNull(Instant),
  resolved_by: OrNull(Type.String()),
  resolution: OrNull(Type.String()),
});

export type DifferenceView = Static<typeof DifferenceView>;

/** The report of a day with its differences. */
export const FullReportView = NamedObject('ReconciliationReportInFull', {
  ...properties,
  differences: Type.Array(DifferenceView, {
    description: 'Those of the day, and all that are open.',
  }),
});

/** Returns a report as operators see it. */
export function viewReport(row: StoredReport): ReportView {
  const { date, madeAt, lines, differences, unknown, unknownSince } = row;
  return {
    date: date.toString(),
    made_at: formatInstant(madeAt),
    lines,
    open_differences: differences,
    unknown,
    unknown_since: formatInstant(unknownSince),
    totals: {
      wallets_pence: row.walletsPence,
      in_settlement_pence: row.inSettlementPence,
      unallocated_pence: row.unallocatedPence,
      fees_pence: row.feesPence,
      claims_pence: row.claimsPence,
      owed_pence: row.owedPence,
      outside_pence: row.outsidePence,
    },
  };
}

/** Shows a difference, as the CSV does. */
export const viewDifference = (item: ItemRow): DifferenceView => ({
  item: item.item,
  date: item.date.toString(),
  merchant_id: item.merchantId,
  amount_pence: item.amountPence,
  what: item.what,
  found_at: formatInstant(item.foundAt),
  resolved_at: formatInstant(item.resolvedAt),
  resolved_by: item.resolvedBy,
  resolution: item.resolution,
});
