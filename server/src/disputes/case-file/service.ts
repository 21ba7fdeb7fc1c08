import type { Bank } from '../../banks/bank.ts';
import type { Tx } from '../../platform/db/db.ts';
import { renderPdf } from '../../platform/documents/pdf.ts';
import type { Platform } from '../../platform/platform.ts';
import { archivedBefore } from '../../platform/retention/archived-store.ts';
import { formatInstant } from '../../platform/time/calendar.ts';
import { type ArchivedRow, monthsOf, type ReadArchive } from './archived.ts';
import { readBankAnswers } from './bank-answers.ts';
import { findSubject, gather } from './gather.ts';
import { KEYS_PATH } from './keys.ts';
import { canonical, pack } from './pack.ts';
import { paperOf } from './paper.ts';

export interface CaseFileDeps {
  platform: Platform;
  banks: ReadonlyMap<string, Bank>;
  readArchive: ReadArchive;
}

/** Whose dispute it is, and how its transactions are made: confined to the merchant, or those of an operator. */
export interface Taking {
  now: Temporal.Instant;
  merchantId: string;
  disputeId: string;
  /** Why it is taken, for the audit trail; absent: nobody asked. */
  reason?: string;
  transact<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
}

/** An archive, and its name. */
export interface TakenFile {
  name: string;
  bytes: Buffer;
}

/**
 * Makes the case file of a dispute, out of the archive too, and records who took it: docs/rules/disputes.md#the-case-file. Throws
 * 404 `not_found`.
 */
export async function takeCaseFile(
  { platform, banks, readArchive }: CaseFileDeps,
  { now, merchantId, disputeId, transact, reason = 'case file' }: Taking,
): Promise<TakenFile> {
  const found = await transact((tx) => findSubject(tx, merchantId, disputeId));
  const { scheduleId, dueDate } = found.payment;
  const before = await platform.db.read(archivedBefore);
  const rows: ArchivedRow[] = [];
  if (before !== null)
    for (const month of monthsOf(dueDate, found.agreedAt))
      rows.push(...(await readArchive([...found.objectIds, scheduleId], month)));
  const answers = await readBankAnswers(banks, found.questions);
  // A bank that is no longer one of ours has its id for a name.
  const bankName = (bankId: string): string => banks.get(bankId)?.name ?? bankId;
  const file = await transact(async (tx) => {
    // What happened meanwhile is in the file: its subject is read again.
    const subject = await findSubject(tx, merchantId, disputeId);
    const elsewhere = { answers, rows, before };
    return gather({ platform, tx, now, merchantId, bankName, reason }, subject, elsewhere);
  });
  const about = {
    dispute_id: disputeId,
    made_at: formatInstant(now),
    keys_at: platform.config.baseUrl + KEYS_PATH,
  };
  const bytes = pack(platform.vault, about, [
    { name: 'case.json', bytes: Buffer.from(canonical(file)) },
    { name: 'case.pdf', bytes: await renderPdf(paperOf(file)) },
  ]);
  return { name: `case-file-${disputeId}.zip`, bytes };
}
