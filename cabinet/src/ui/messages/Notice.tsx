import type { ReactNode } from 'react';
import styles from './Notice.module.css';

interface Props {
  tone: 'good' | 'warn' | 'bad';
  title?: string;
  children?: ReactNode;
}

/** Shows something that the user should know first, or the result of an action. */
export function Notice({ tone, title, children }: Props) {
  return (
    <div role="status" className={styles.notice} data-tone={tone}>
      {title !== undefined && <strong>{title}</strong>}
      {children}
    </div>
  );
}
