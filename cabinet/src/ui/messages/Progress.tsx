import styles from './Progress.module.css';

interface Props {
  /** Name of the running task. */
  label: string;
  value: number;
  /** Null while unknown. */
  most: number | null;
}

/** Shows the progress of a task. */
export function Progress({ label, value, most }: Props) {
  return (
    <progress
      className={styles.progress}
      aria-label={label}
      {...(most !== null && { value: Math.min(value, most), max: most })}
    />
  );
}
