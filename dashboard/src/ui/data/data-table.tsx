import type { ReactNode } from 'react';
import { Link } from 'react-router';
import './density.css';
import './ticks.css';
import './totals.css';

export interface Column<T> {
  header: string;
  cell: (row: T) => ReactNode;
  /** Amounts are aligned at the end. */
  align?: 'end';
  /** What the column comes to: if any has it, the table ends in a row of sums. */
  total?: ReactNode;
}

/** Which rows are ticked, and what ticks them. */
export interface RowSelection<T> {
  /** What a row is called, for screen readers. */
  nameOf: (row: T) => string;
  has: (row: T) => boolean;
  toggle: (row: T) => void;
  /** All that match are ticked, also those that are not shown: no single row can be left out. */
  isEvery: boolean;
  /** Ticks all rows that are shown, or none. */
  toggleShown: (shown: readonly T[]) => void;
}

interface DataTableProps<T> {
  /** What the table contains, for screen readers. */
  label: string;
  rows: readonly T[];
  rowKey: (row: T) => string;
  columns: readonly Column<T>[];
  /** The link of a row: its first cell is the link, and the whole row can be clicked. */
  rowHref?: (row: T) => string;
  /** Has more columns than fit, and no links in its rows: a keyboard scrolls the table itself. */
  isWide?: boolean;
  /** Absent: rows cannot be ticked. */
  selection?: RowSelection<T> | undefined;
}

function alignOf(column: { align?: 'end' }): string | undefined {
  return column.align === 'end' ? 'cell-end' : undefined;
}

/** A table; on a phone each row is a card with named values. */
export function DataTable<T>(props: DataTableProps<T>) {
  const { label, rows, rowKey, columns, rowHref, isWide, selection } = props;
  return (
    <div
      className="table-frame"
      {...(isWide ? { role: 'region', 'aria-label': label, tabIndex: 0 } : {})}
    >
      <table className={rowHref === undefined ? 'table' : 'table table-links'}>
        <caption className="visually-hidden">{label}</caption>
        <thead>
          <tr>
            {selection === undefined ? null : <TickAll rows={rows} selection={selection} />}
            {columns.map((column) => (
              <th key={column.header} scope="col" className={alignOf(column)}>
                {column.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row
              key={rowKey(row)}
              row={row}
              columns={columns}
              href={rowHref?.(row)}
              tick={selection}
            />
          ))}
        </tbody>
        {columns.some(({ total }) => total !== undefined) ? <Totals columns={columns} /> : null}
      </table>
    </div>
  );
}

function Totals<T>({ columns }: { columns: readonly Column<T>[] }) {
  return (
    <tfoot>
      <tr>
        {columns.map(({ header, total, ...column }) => (
          <td key={header} data-label={header} className={alignOf(column)}>
            {total === undefined ? null : <span className="cell">{total}</span>}
          </td>
        ))}
      </tr>
    </tfoot>
  );
}

function TickAll<T>({ rows, selection }: { rows: readonly T[]; selection: RowSelection<T> }) {
  const ticked = rows.filter(selection.has).length;
  const isEvery = ticked === rows.length;
  return (
    <th scope="col" className="cell-tick">
      <input
        type="checkbox"
        aria-label="Select all rows shown"
        checked={isEvery}
        ref={(input) => {
          if (input !== null) input.indeterminate = ticked > 0 && !isEvery;
        }}
        onChange={() => selection.toggleShown(rows)}
      />
    </th>
  );
}

interface RowProps<T> {
  row: T;
  columns: readonly Column<T>[];
  href: string | undefined;
  tick: RowSelection<T> | undefined;
}

function Row<T>({ row, columns, href, tick }: RowProps<T>) {
  return (
    <tr className={tick?.has(row) ? 'row-ticked' : undefined}>
      {tick === undefined ? null : (
        <td className="cell-tick">
          <span className="cell">
            <input
              type="checkbox"
              aria-label={`Select ${tick.nameOf(row)}`}
              checked={tick.has(row)}
              disabled={tick.isEvery}
              onChange={() => tick.toggle(row)}
            />
          </span>
        </td>
      )}
      {columns.map((column, place) => (
        <td key={column.header} data-label={column.header} className={alignOf(column)}>
          {place === 0 && href !== undefined ? (
            <Link to={href} className="row-link">
              {column.cell(row)}
            </Link>
          ) : (
            <span className="cell">{column.cell(row)}</span>
          )}
        </td>
      ))}
    </tr>
  );
}
