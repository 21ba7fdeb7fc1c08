/** A row of the archive: its table, and its columns as JSON. */
export interface ArchivedRow {
  table: string;
  row: Readonly<Record<string, unknown>>;
}

/** Returns the rows of the archive's files of a month, such as `2026-03`, that name one of these ids. `archive` has the files. */
export type ReadArchive = (
  ids: readonly string[],
  month: string,
) => Promise<readonly ArchivedRow[]>;

/** Returns the months in whose files the history of a payment may be: around it, and when it was agreed to. */
export function monthsOf(
  dueDate: Temporal.Instant,
  agreedAt: readonly (Temporal.Instant | null)[],
): string[] {
  const month = (at: Temporal.Instant, months = 0): string =>
    at.toZonedDateTimeISO('UTC').toPlainDate().toPlainYearMonth().add({ months }).toString();
  const agreed = agreedAt.flatMap((at) => (at === null ? [] : [month(at)]));
  return [...new Set([...agreed, month(dueDate, -1), month(dueDate), month(dueDate, 1)])].sort();
}
