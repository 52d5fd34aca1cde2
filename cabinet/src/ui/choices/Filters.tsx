import type { ReactNode } from 'react';
import styles from './Filters.module.css';

/** Arranges the filters of a list side by side. */
export function Filters({ children }: { children: ReactNode }) {
  return <div className={styles.filters}>{children}</div>;
}

/** A separate line below the others, for chips or remarks. */
export function FilterLine({ children }: { children: ReactNode }) {
  return <div className={styles.line}>{children}</div>;
}
