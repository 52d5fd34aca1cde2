import type { ReactNode } from 'react';
import styles from './Bars.module.css';

export interface Bar {
  key: string;
  label: ReactNode;
  value: number;
  /** Text before the value, such as a comparison. */
  aside?: ReactNode;
}

interface Props {
  /** Title of the list. */
  title: string;
  bars: readonly Bar[];
  format: (value: number) => string;
}

/** Shows values as bars in the given order, scaled so that the longest one fills the width. */
export function Bars({ title, bars, format }: Props) {
  const max = Math.max(0, ...bars.map(({ value }) => value));
  return (
    <ul className={styles.bars} aria-label={title}>
      {bars.map(({ key, label, value, aside }) => (
        <li key={key} className={styles.row}>
          <span className={styles.bar} style={{ width: max > 0 ? `${(Math.max(0, value) / max) * 100}%` : 0 }} />
          <span className={styles.label}>{label}</span>
          {aside && <span className={styles.aside}>{aside}</span>}
          <span className={styles.value}>{format(value)}</span>
        </li>
      ))}
    </ul>
  );
}
