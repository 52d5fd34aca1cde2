import type { ReactNode } from 'react';
import styles from './Columns.module.css';

/** Shows a form with its result beside it, or below it on a small screen. */
export function Columns({ children }: { children: ReactNode }) {
  return <div className={styles.columns}>{children}</div>;
}
