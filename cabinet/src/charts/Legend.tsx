import { kindOf, type Series } from './series.ts';
import styles from './TimeChart.module.css';

/** Shows the name of each line. Hidden from screen readers, which read the names with the values. */
export function Legend({ series }: { series: readonly Series[] }) {
  return (
    <ul aria-hidden className={styles.legend}>
      {series.map(({ name, ...kind }) => (
        <li key={name}>
          <svg viewBox="0 0 24 8" className={styles.lines}>
            <path d="M2 4L22 4" data-kind={kindOf(kind)} />
          </svg>
          {name}
        </li>
      ))}
    </ul>
  );
}
