import type { ReactNode } from 'react';
import styles from './CardGrid.module.css';

/** Arranges cards side by side if there is room. */
export function CardGrid({ children }: { children: ReactNode }) {
  return <div className={styles.grid}>{children}</div>;
}
