import type { ReactNode } from 'react';
import styles from './Buttons.module.css';

/** The buttons at the end of a form or a dialog, the main action first. */
export function Buttons({ children }: { children: ReactNode }) {
  return <div className={styles.buttons}>{children}</div>;
}
