import type { ReactNode } from 'react';
import { Link } from 'react-router';
import './totals.css';

export interface Column<T> {
  header: string;
  cell: (row: T) => ReactNode;
  /** Amounts are aligned at the end. */
  align?: 'end';
  /** What the column comes to: if any has it, the table ends in a row of sums. */
  total?: ReactNode;
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
}

function alignOf(column: { align?: 'end' }): string | undefined {
  return column.align === 'end' ? 'cell-end' : undefined;
}

/** A table; on a phone each row is a card with named values. */
export function DataTable<T>({ label, rows, rowKey, columns, rowHref, isWide }: DataTableProps<T>) {
  return (
    <div
      className="table-frame"
      {...(isWide ? { role: 'region', 'aria-label': label, tabIndex: 0 } : {})}
    >
      <table className={rowHref === undefined ? 'table' : 'table table-links'}>
        <caption className="visually-hidden">{label}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.header} scope="col" className={alignOf(column)}>
                {column.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={rowKey(row)} row={row} columns={columns} href={rowHref?.(row)} />
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

interface RowProps<T> {
  row: T;
  columns: readonly Column<T>[];
  href: string | undefined;
}

function Row<T>({ row, columns, href }: RowProps<T>) {
  return (
    <tr>
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
