import type { Tx } from '../../platform/db/db.ts';
import type { Finding } from './finding.ts';
import { publicReason } from './unknown-reason.ts';

/** Whether a finding's law is kept; null if that is unknown. */
function holds({ broken, unknown }: Finding): boolean | null {
  if (broken.length > 0) return false;
  return unknown === undefined ? true : null;
}

/** Describes the violations, and what could not be compared; null: nothing. */
function detailOf({ broken, unknown }: Finding): string | null {
  const lines = unknown === undefined ? broken : [...broken, `unknown: ${unknown}`];
  return lines.length === 0 ? null : lines.join('\n');
}

/** Returns, by law, since when the service's own checks could not tell whether it is kept. */
export async function unknownLaws(tx: Tx): Promise<Map<string, Temporal.Instant>> {
  const rows = await tx.rows<{ law: string; since: Temporal.Instant }>(
    'SELECT law, unknown_since AS since FROM law_findings WHERE unknown_since IS NOT NULL',
  );
  return new Map(rows.map(({ law, since }) => [law, since]));
}

/** Replaces the stored findings with those of a check made at this moment of business time. */
export async function storeFindings(
  tx: Tx,
  now: Temporal.Instant,
  findings: readonly Finding[],
): Promise<void> {
  const laws = findings.map((finding) => finding.law);
  await tx.run('DELETE FROM law_findings WHERE law <> ALL ($1::text[])', [laws]);
  await tx.run(
    `INSERT INTO law_findings (law, sentence, holds, detail, unknown_reason, unknown_since, checked_at)
     SELECT law, sentence, holds, detail, reason, CASE WHEN reason IS NOT NULL THEN $6::timestamptz END, $6::timestamptz
     FROM unnest($1::text[], $2::text[], $3::boolean[], $4::text[], $5::text[]) AS f (law, sentence, holds, detail, reason)
     ON CONFLICT (law) DO UPDATE SET sentence = excluded.sentence, holds = excluded.holds, detail = excluded.detail,
       unknown_reason = excluded.unknown_reason, checked_at = excluded.checked_at,
       unknown_since = CASE WHEN excluded.unknown_since IS NOT NULL
         THEN coalesce(law_findings.unknown_since, excluded.unknown_since) END`,
    [
      laws,
      findings.map((finding) => finding.sentence),
      findings.map(holds),
      findings.map(detailOf),
      findings.map(({ unknown }) => (unknown === undefined ? null : publicReason(unknown))),
      now,
    ],
  );
}
