import type { Tx } from '../platform/db.ts';
import type { Finding } from './laws.ts';

/** Whether a finding's law holds; null where it could not be told. */
function holds({ broken, unknown }: Finding): boolean | null {
  if (broken.length > 0) return false;
  return unknown === undefined ? true : null;
}

/** Puts the findings of a look at the books, made at this moment of business time, in the place of the last one's. */
export async function storeFindings(
  tx: Tx,
  now: Temporal.Instant,
  findings: readonly Finding[],
): Promise<void> {
  const laws = findings.map((finding) => finding.law);
  await tx.run('DELETE FROM law_findings WHERE law <> ALL ($1::text[])', [laws]);
  await tx.run(
    `INSERT INTO law_findings (law, sentence, holds, checked_at)
     SELECT *, $4::timestamptz FROM unnest($1::text[], $2::text[], $3::boolean[])
     ON CONFLICT (law) DO UPDATE SET sentence = excluded.sentence, holds = excluded.holds, checked_at = excluded.checked_at`,
    [laws, findings.map((finding) => finding.sentence), findings.map(holds), now],
  );
}
