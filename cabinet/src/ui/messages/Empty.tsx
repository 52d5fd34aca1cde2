import type { ReactNode } from 'react';
import styles from './Empty.module.css';

/** Shows that there is no data, and what to do next: a link, or the request that sends the first data (Command.tsx). */
export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className={styles.empty}>
      <strong>{title}</strong>
      {children}
    </div>
  );
}
