import { createHash } from 'node:crypto';
import { londonDay } from '../../laws/reconciliation/london-day.ts';
import { ISSUER } from '../../laws/reconciliation/reconciliation.ts';
import { findMerchants } from '../../merchants/store.ts';
import type { Tx } from '../../platform/db/db.ts';
import { renderPdf } from '../../platform/documents/pdf.ts';
import { firstPage } from '../../platform/http/lists/page.ts';
import type { Platform } from '../../platform/platform.ts';
import { recordServiceChange } from '../../platform/state/audit-trail.ts';
import { formatInstant } from '../../platform/time/calendar.ts';
import { toCsv } from '../../platform/values/csv.ts';
import { toDecimal } from '../../platform/values/money.ts';
import { readBooksAt } from '../books-store.ts';
import { listEntries } from '../register/store.ts';
import { findRuns, listBreaches } from '../store.ts';
import { clientsAt } from './clients-store.ts';
import { indexPaper, type Summed } from './index-paper.ts';
import { findMerchantIds, findReceiptsAt, findReportsUntil } from './pack-store.ts';
import {
  BREACHES,
  CLIENTS,
  COUNTS,
  type Columns,
  ENTRIES,
  MERCHANTS,
  openClient,
  RECEIPTS,
  REPORTS,
  RUNS,
} from './rows.ts';

/** A file of the pack; its content is to be read before the next file is taken. */
export interface PackFile {
  name: string;
  content: AsyncIterable<string | Buffer>;
}

const CLIENTS_READ = 2_000;
const MOST_BREACHES = 100_000;
const FIRST_DAY = Temporal.PlainDate.from('2000-01-01');

/**
 * Makes the resolution pack as of a moment, file by file: who is owed how much, what is held, the reconciliations, the breaches,
 * the register, and how to reach every record (CASS 10A). All is read in the snapshot `tx`. The index comes last but one, with
 * the checksum of each file before it, and then the checksums as a file.
 */
export async function* makePack(
  platform: Platform,
  tx: Tx,
  { asOf, now }: { asOf: Temporal.Instant; now: Temporal.Instant },
): AsyncIterable<PackFile> {
  const files: Summed[] = [];
  for (const { name, says, content } of listsOf(platform, tx, asOf)) {
    const file = { name, says, sha256: '', bytes: 0 };
    files.push(file);
    yield { name, content: summed(content, file) };
  }
  const books = await readBooksAt(tx, asOf, asOf);
  const paper = indexPaper(platform.config, { asOf, now, books, files });
  const index = { name: 'index.pdf', says: '', sha256: '', bytes: 0 };
  yield { name: index.name, content: summed([await renderPdf(paper)], index) };
  const sums = [...files, index].map(({ name, sha256 }) => `${sha256}  ${name}\n`).join('');
  yield { name: 'SHA256SUMS', content: summed([sums], { sha256: '', bytes: 0 }) };
}

/** Records that somebody made a pack: it names every client. */
export const recordPack = (tx: Tx, now: Temporal.Instant, asOf: Temporal.Instant): Promise<void> =>
  recordServiceChange(tx, now, {
    objectId: 'safeguarding pack',
    to: 'made',
    reason: `as of ${formatInstant(asOf)}`,
  });

/** Passes a file's pieces on, and notes its checksum and size once it has been read. */
async function* summed(
  pieces: AsyncIterable<string | Buffer> | Iterable<string | Buffer>,
  into: Pick<Summed, 'sha256' | 'bytes'>,
): AsyncIterable<string | Buffer> {
  const hash = createHash('sha256');
  for await (const piece of pieces) {
    hash.update(piece);
    into.bytes += Buffer.byteLength(piece);
    yield piece;
  }
  into.sha256 = hash.digest('hex');
}

/** A list of the pack as a file. */
type ListFile = PackFile & { says: string };

function listsOf(platform: Platform, tx: Tx, asOf: Temporal.Instant): ListFile[] {
  const day = londonDay(asOf);
  const clients = async function* () {
    for await (const rows of clientsAt(tx, asOf, CLIENTS_READ))
      yield rows.map((row) => openClient(platform, row));
  };
  const breaches = async () =>
    (await listBreaches(tx, ISSUER, firstPage(MOST_BREACHES), { to: asOf })).data;
  const merchants = async () => [
    ...(await findMerchants(tx, platform.vault, await findMerchantIds(tx))).values(),
  ];
  return [
    listFile(
      'clients.csv',
      'What each customer and merchant is owed, and how to reach them. Below zero: owed by a merchant.',
      CLIENTS,
      clients,
    ),
    listFile(
      'unallocated.csv',
      'Money that has arrived and is of no client yet.',
      RECEIPTS,
      once(() => findReceiptsAt(tx, asOf)),
    ),
    listFile(
      'merchants.csv',
      'The merchants, with the accounts to which they are paid out.',
      MERCHANTS,
      once(merchants),
    ),
    listFile(
      'safeguarding-days.csv',
      'The reconciliation of each day, internal and external, and who answered it.',
      RUNS,
      once(() => findRuns(tx, ISSUER, FIRST_DAY, day)),
    ),
    listFile(
      'breaches.csv',
      'The register of breaches. Nothing below the first line: there is none.',
      BREACHES,
      once(breaches),
    ),
    listFile(
      'statement-reports.csv',
      'The daily comparison of every booking with the issuer’s statement.',
      REPORTS,
      once(() => findReportsUntil(tx, ISSUER, day)),
    ),
    listFile(
      'register.csv',
      'Accounts, letters, agreements, agents, banks, insurers, subcontractors and people, as entered by hand.',
      ENTRIES,
      once(() => listEntries(tx)),
    ),
  ];
}

const once = <R>(read: () => Promise<R[]>) =>
  async function* (): AsyncIterable<R[]> {
    yield await read();
  };

const listFile = <R>(
  name: string,
  says: string,
  columns: Columns<R>,
  read: () => AsyncIterable<R[]>,
): ListFile => ({ name, says, content: csvOf(columns, read) });

/** Writes batches of rows as CSV, piece by piece; the first line names the columns, also where there are no rows. */
async function* csvOf<R>(
  columns: Columns<R>,
  read: () => AsyncIterable<R[]>,
): AsyncIterable<string> {
  const number = (value: number, column: string): string =>
    COUNTS.has(column) ? String(value) : toDecimal(value);
  const form = { columns: Object.keys(columns), number };
  yield toCsv([], form);
  for await (const rows of read()) {
    const lines = rows.map((row) =>
      Object.fromEntries(Object.entries(columns).map(([name, cell]) => [name, cell(row) ?? ''])),
    );
    yield toCsv(lines, { ...form, header: false });
  }
}
