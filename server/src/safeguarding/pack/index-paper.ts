import type { Config } from '../../platform/config/config.ts';
import type { PaperDocument } from '../../platform/documents/pdf.ts';
import { formatInstant } from '../../platform/time/calendar.ts';
import { toDecimal } from '../../platform/values/money.ts';
import { type Books, internalDifference, requirementOf } from '../figures.ts';

const ABOUT =
  'What is owed to each client and what is held, with the records that prove it. The files are plain text with commas and ' +
  'open in any spreadsheet; amounts are in pounds, times in UTC. SHA256SUMS has the checksum of each: ' +
  'sha256sum -c SHA256SUMS says whether one was changed.';

/** A file that the index names. */
export interface Summed {
  name: string;
  says: string;
  sha256: string;
  bytes: number;
}

const SEATS = {
  agent: 'Agent or distributor of the e-money issuer. The duty to safeguard is the issuer’s.',
  institution: 'Institution. The duty to safeguard is its own.',
  initiation_only: 'Initiates payments only. It holds no customers’ money.',
} as const;

/** How somebody who has the database reaches what the pack does not copy. */
const RECORDS: readonly (readonly [string, string])[] = [
  ['Every posting', 'Table transfers: debit, credit, amount, source, time. It is never changed.'],
  ['Balances now', 'Table accounts; recollect audit checks them against the postings.'],
  ['Who changed what', 'Table state_changes; recollect activity list.'],
  ['Payments and orders', 'Tables payments, attempts, payment_orders; recollect search.'],
  ['Months that are over', 'Files of recollect archive; recollect archive show <id>.'],
  ['Personal data', 'Sealed in the tables; opened with ENCRYPTION_KEYS.'],
];

/** Returns the page that says what is in a pack and how to read it without the service. */
export function indexPaper(
  { firm, brand, safeguarding }: Config,
  {
    asOf,
    now,
    books,
    files,
  }: { asOf: Temporal.Instant; now: Temporal.Instant; books: Books; files: readonly Summed[] },
): PaperDocument {
  const pounds = (pence: number): string => `£${toDecimal(pence)}`;
  return {
    title: `Resolution pack as of ${formatInstant(asOf)}`,
    author: brand.name,
    madeAt: now,
    parts: [
      {
        kind: 'text',
        text: ABOUT,
      },
      { kind: 'heading', text: 'Who and when' },
      {
        kind: 'facts',
        facts: [
          ['Firm', `${firm.name}, reference ${firm.fcaReference}`],
          ['E-money issuer', `${firm.issuer.name}, reference ${firm.issuer.fcaReference}`],
          ['Seat', SEATS[safeguarding.seat]],
          ['Contact', firm.email],
          ['As of', formatInstant(asOf)],
          ['Made', formatInstant(now)],
        ],
      },
      { kind: 'heading', text: 'In short' },
      {
        kind: 'facts',
        facts: [
          ['Clients', String(books.clients)],
          ['Owed to customers', pounds(books.customersPence)],
          ['Owed to merchants', pounds(books.merchantsPence)],
          ['On its way out', pounds(books.payingOutPence)],
          ['Of no client yet', pounds(books.unallocatedPence)],
          ['Requirement', pounds(requirementOf(books))],
          ['Resource in our books', pounds(books.heldPence)],
          ['Fees to take out', pounds(books.feesPence)],
          ['Paid by the issuer for recalls', pounds(books.recalledPence)],
          ['Internal difference', pounds(internalDifference(books))],
        ],
      },
      { kind: 'heading', text: 'The files' },
      {
        kind: 'table',
        columns: [
          { header: 'File', share: 2 },
          { header: 'What it says', share: 4 },
          { header: 'Bytes', isNumber: true },
          { header: 'SHA-256', share: 4 },
        ],
        rows: files.map((one) => [one.name, one.says, String(one.bytes), inParts(one.sha256)]),
      },
      { kind: 'heading', text: 'How to reach every other record' },
      { kind: 'facts', facts: RECORDS },
    ],
  };
}

/** A checksum that a narrow column can break. */
const inParts = (sha256: string): string => sha256.match(/.{16}/g)?.join(' ') ?? sha256;
