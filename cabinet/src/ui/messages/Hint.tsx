import type { ReactNode } from 'react';
import styles from './Hint.module.css';

/** Shows help for a decision, or why something is unavailable. */
export function Hint({ children }: { children: ReactNode }) {
  return <p className={styles.hint}>{children}</p>;
}
