import type { Column } from '../../ui/data/data-table.tsx';

/** A column that a person may hide; the first of a table always stays, because it links to the row. */
export interface ListColumn<T> extends Column<T> {
  /** Its name in the address. */
  key: string;
  /** Shown only if chosen. */
  isExtra?: boolean;
}

type Keyed = Pick<ListColumn<never>, 'key' | 'isExtra'>;

/** Returns the keys of the columns that are shown: those named, such as `amount,status`, or the usual ones. */
export function shownKeys(columns: readonly Keyed[], named: string): string[] {
  const known = new Set(columns.map(({ key }) => key));
  const chosen = named.split(',').filter((key) => known.has(key));
  if (chosen.length === 0) return columns.filter((one) => !one.isExtra).map(({ key }) => key);
  const [first] = columns;
  return columns.map(({ key }) => key).filter((key) => key === first?.key || chosen.includes(key));
}

/** Returns the text that names these columns in the address; '' for the usual ones. */
export function nameColumns(columns: readonly Keyed[], shown: readonly string[]): string {
  const keys = columns.map(({ key }) => key).filter((key) => shown.includes(key));
  return keys.join() === shownKeys(columns, '').join() ? '' : keys.join();
}
