import type { ReactNode } from 'react';
import styles from './Disclosure.module.css';

interface Props {
  title: ReactNode;
  /** Label for screen readers, if the title alone is ambiguous. */
  label?: string;
  isOpen?: boolean;
  children: ReactNode;
}

/** Shows only a title, which opens details that most users do not need. */
export function Disclosure({ title, label, isOpen = false, children }: Props) {
  return (
    <details className={styles.more} open={isOpen}>
      <summary aria-label={label}>{title}</summary>
      <div className={styles.content}>{children}</div>
    </details>
  );
}
