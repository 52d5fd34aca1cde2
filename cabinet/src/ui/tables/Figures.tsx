import type { ReactNode } from 'react';
import styles from './Figures.module.css';

/** Shows a few numbers, each under its name. */
export function Figures({ figures }: { figures: readonly { name: string; value: ReactNode }[] }) {
  return (
    <dl className={styles.figures}>
      {figures.map(({ name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
