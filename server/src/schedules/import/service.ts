import { openLinks } from '../../consents/service.ts';
import type { Asked } from '../../platform/platform.ts';
import { createSchedules, type ScheduleDeps } from '../change/service.ts';
import { checkLines, type ReadLine, type Verdict } from './check-lines.ts';
import { type CsvLine, readCsv } from './csv.ts';
import { discardPlans, insertImported, lockImports } from './store.ts';
import type { ImportAnswer, ImportedLineView, ImportInput } from './view.ts';

/**
 * Imports lines of a CSV file: creates a schedule for each valid line that was not imported before, as POST /schedules would, in
 * the call's transaction. See docs/rules/import.md.
 */
export async function importLines(
  deps: ScheduleDeps,
  asked: Asked,
  body: ImportInput,
): Promise<ImportAnswer> {
  const { tx, merchantId } = asked;
  const lines = readCsv(body.csv, body.first_line ?? 2);
  const isCheck = body.check_only === true;
  if (!isCheck) await Promise.all([lockImports(tx, merchantId), discardPlans(tx)]);
  const { timeZone } = await deps.merchantFacts(tx, merchantId);
  const verdicts = await checkLines(deps.platform.vault, asked, lines, timeZone);
  const made = isCheck ? new Map<string, ImportedSchedule>() : await makeAll(deps, asked, verdicts);
  return { data: lines.map((line, at) => viewLine(line, verdicts[at], made)) };
}

/** The schedule of a line; `url`: where its consent waits for the customer. */
interface ImportedSchedule {
  scheduleId: string;
  url: string | null;
}

const nameOf = ({ key }: ReadLine): string => key.toString('hex');

/** Creates what is valid, and finds the links of what was created before. Returns the schedules by the keys of their lines. */
async function makeAll(
  deps: ScheduleDeps,
  asked: Asked,
  verdicts: readonly Verdict[],
): Promise<Map<string, ImportedSchedule>> {
  const { tx, now, merchantId } = asked;
  const valid = verdicts.flatMap((one) => (one.status === 'valid' ? [one.read] : []));
  const existing = verdicts.filter((one) => one.status === 'existing');
  const ids = existing.map(({ scheduleId }) => scheduleId);
  const links = await openLinks(deps.platform, asked, ids);
  const created = await createSchedules(deps, asked, valid);
  const lines = created.map((one) => ({ ...one, scheduleId: one.schedule.scheduleId }));
  if (lines.length > 0) await insertImported(tx, merchantId, lines, now);
  return new Map([
    ...lines.map((one): [string, ImportedSchedule] => [nameOf(one), one]),
    ...existing.map(({ read, scheduleId }): [string, ImportedSchedule] => [
      nameOf(read),
      { scheduleId, url: links.get(scheduleId) ?? null },
    ]),
  ]);
}

function viewLine(
  { line, cells: { known } }: CsvLine,
  verdict: Verdict | undefined,
  made: ReadonlyMap<string, ImportedSchedule>,
): ImportedLineView {
  if (verdict === undefined) throw new Error('every line has a verdict');
  const { status, read } = verdict;
  const own = status === 'invalid' || read === null ? undefined : made.get(nameOf(read));
  const existing = status === 'existing' ? verdict.scheduleId : null;
  return {
    line,
    status: status === 'valid' && own !== undefined ? 'created' : status,
    key: read === null ? null : nameOf(read),
    import_reference: known.import_reference ?? null,
    customer: {
      name: known.customer_name ?? null,
      email: known.customer_email ?? null,
      phone: phoneOf(read),
    },
    description: known.description ?? null,
    amount: read?.body.amount ?? null,
    schedule_id: own?.scheduleId ?? existing,
    consent_url: own?.url ?? null,
    errors: status === 'invalid' ? verdict.errors : [],
  };
}

function phoneOf(read: ReadLine | null): string | null {
  const customer = read?.body.customer as { type?: string; value?: string } | undefined;
  return customer?.type === 'phone' ? (customer.value ?? null) : null;
}
