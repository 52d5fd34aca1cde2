import type { ReactNode } from 'react';
import styles from './Status.module.css';

export type Tone = 'good' | 'busy' | 'warn' | 'bad' | 'quiet';

/** Shows a state in a word; the colour adds no information. */
export function Badge({ tone, children }: { tone: Tone; children: ReactNode }) {
  return <span className={`${styles['status']} ${styles[tone]}`}>{children}</span>;
}
