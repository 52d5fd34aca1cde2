import type { ReactNode } from 'react';
import styles from './DataTable.module.css';

export interface Column<T> {
  key: string;
  title: string;
  cell: (row: T) => ReactNode;
  /** `actions`: actions on the row, under a heading for screen readers only. */
  kind?: 'text' | 'number' | 'actions';
}

interface Props<T> {
  label: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  idOf: (row: T) => string;
}

/** Shows rows under headings; on a small screen each row is a block with labelled lines. */
export function DataTable<T>({ label, columns, rows, idOf }: Props<T>) {
  return (
    <table className={styles.table} aria-label={label}>
      <thead>
        <tr>
          {columns.map(({ key, title, kind = 'text' }) => (
            <th key={key} scope="col" data-kind={kind}>
              {kind === 'actions' ? <span className="heard">{title}</span> : title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={idOf(row)}>
            {columns.map(({ key, title, cell, kind = 'text' }) => (
              <td key={key} data-kind={kind} data-label={title}>
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Shows the subject of a row, and a detail that identifies it. */
export function RowTitle({ title, detail }: { title: ReactNode; detail?: ReactNode }) {
  return (
    <span className={styles.title}>
      <strong>{title}</strong>
      {detail !== undefined && <code>{detail}</code>}
    </span>
  );
}
