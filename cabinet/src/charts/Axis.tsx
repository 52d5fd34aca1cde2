import styles from './TimeChart.module.css';

interface Props {
  ticks: readonly number[];
  /** The value at the upper edge. */
  top: number;
  format: (value: number) => string;
}

/** Shows the values of the grid lines of a chart. */
export function Axis({ ticks, top, format }: Props) {
  const widest = ticks.map(format).reduce((longest, text) => (text.length > longest.length ? text : longest), '');
  return (
    <div aria-hidden className={styles.axis}>
      {/* The labels overlap, and the widest one reserves the space. */}
      <span className={styles.widest}>{widest}</span>
      {ticks.map((tick) => (
        <span key={tick} className={styles.tick} style={{ bottom: `${(tick / top) * 100}%` }}>
          {format(tick)}
        </span>
      ))}
    </div>
  );
}
