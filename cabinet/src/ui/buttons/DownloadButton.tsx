import type { ReactNode } from 'react';
import styles from './Button.module.css';

/** The download link of a dialog, which is its main action. */
export function DownloadButton({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a href={href} download className={`${styles.button} ${styles.primary} ${styles.link}`}>
      {children}
    </a>
  );
}
