import type { ReactNode } from 'react';
import styles from './FramedTable.module.css';

interface Props {
  label: string;
  titles: readonly string[];
  /** Class for the particular columns. */
  className?: string | undefined;
  /** The rows of the table. */
  children: ReactNode;
}

/** A table with a frame, whose rows are blocks on a small screen. */
export function FramedTable({ label, titles, className = '', children }: Props) {
  return (
    <div className={styles.frame}>
      <table className={`${styles.table} ${className}`} aria-label={label}>
        <thead>
          <tr>
            {titles.map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

/** The time of a row, in its last cell. */
export function MomentCell({ children }: { children: ReactNode }) {
  return <td className={styles.moment}>{children}</td>;
}
