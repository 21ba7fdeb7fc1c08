import type { Amount } from '../../platform/money.ts';
import type { Asked } from '../../platform/platform.ts';
import { createSchedule, type ScheduleDeps, showSchedule } from '../service.ts';
import { checkLines, type ReadLine, type Verdict } from './check-lines.ts';
import { type CsvLine, readCsv } from './csv.ts';
import type { LineError } from './read-line.ts';
import { insertImported, lockImports } from './store.ts';

/** The body of POST /schedules/import: a heading and some of a file's lines. */
export interface ImportBody {
  csv: string;
  first_line?: number;
  check_only?: boolean;
}

/** The result of one line: docs/rules/import.md. */
export interface ImportedLineView {
  line: number;
  status: 'valid' | 'created' | 'existing' | 'invalid';
  /** The same for lines that stand for the same schedule; null: the line cannot be read. */
  key: string | null;
  import_reference: string | null;
  customer: { name: string | null; email: string | null; phone: string | null };
  description: string | null;
  amount: Amount | null;
  schedule_id: string | null;
  consent_url: string | null;
  errors: LineError[];
}

interface Made {
  scheduleId: string;
  consentUrl: string | null;
}

/**
 * Imports lines of a CSV file: creates a schedule for each valid line that was not imported before, as POST /schedules would, in
 * the call's transaction. See docs/rules/import.md.
 */
export async function importLines(
  deps: ScheduleDeps,
  asked: Asked,
  body: ImportBody,
): Promise<{ data: ImportedLineView[] }> {
  const { tx, now, merchantId } = asked;
  const lines = readCsv(body.csv, body.first_line ?? 2);
  const isCheck = body.check_only === true;
  if (!isCheck) await lockImports(tx, merchantId);
  const { timeZone } = await deps.merchantFacts(tx, merchantId);
  const verdicts = await checkLines(deps.platform.vault, asked, lines, timeZone);
  const made = isCheck ? verdicts.map(() => null) : await makeAll(deps, asked, verdicts);
  const created = verdicts.flatMap((verdict, at) => {
    const own = made[at];
    return verdict.status === 'valid' && own ? [{ ...verdict.read, ...own }] : [];
  });
  if (created.length > 0) await insertImported(tx, merchantId, created, now);
  return { data: lines.map((line, at) => viewLine(line, verdicts[at], made[at] ?? null)) };
}

/** Creates what is valid, one after the other, because two lines may name one customer; and reads what was created before. */
async function makeAll(
  deps: ScheduleDeps,
  asked: Asked,
  verdicts: readonly Verdict[],
): Promise<(Made | null)[]> {
  const made: (Made | null)[] = [];
  for (const verdict of verdicts) made.push(await makeOne(deps, asked, verdict));
  return made;
}

async function makeOne(deps: ScheduleDeps, asked: Asked, verdict: Verdict): Promise<Made | null> {
  if (verdict.status === 'invalid') return null;
  const { id, consent_url: url } =
    verdict.status === 'valid'
      ? await createSchedule(deps, asked, verdict.read.body)
      : await showSchedule(deps, asked, verdict.scheduleId);
  return { scheduleId: id, consentUrl: url ?? null };
}

function viewLine(
  { line, cells: { known } }: CsvLine,
  verdict: Verdict | undefined,
  made: Made | null,
): ImportedLineView {
  if (verdict === undefined) throw new Error('every line has a verdict');
  const { status, read } = verdict;
  const existing = status === 'existing' ? verdict.scheduleId : null;
  return {
    line,
    status: status === 'valid' && made !== null ? 'created' : status,
    key: read?.key.toString('hex') ?? null,
    import_reference: known.import_reference ?? null,
    customer: {
      name: known.customer_name ?? null,
      email: known.customer_email ?? null,
      phone: phoneOf(read),
    },
    description: known.description ?? null,
    amount: read?.body.amount ?? null,
    schedule_id: made?.scheduleId ?? existing,
    consent_url: made?.consentUrl ?? null,
    errors: status === 'invalid' ? verdict.errors : [],
  };
}

function phoneOf(read: ReadLine | null): string | null {
  const customer = read?.body.customer as { type?: string; value?: string } | undefined;
  return customer?.type === 'phone' ? (customer.value ?? null) : null;
}
