import styles from './Progress.module.css';

interface Props {
  /** Name of the running task. */
  label: string;
  value: number;
  /** Null while unknown. */
  max: number | null;
}

/** Shows the progress of a task. */
export function Progress({ label, value, max }: Props) {
  return (
    <progress
      className={styles.progress}
      aria-label={label}
      {...(max !== null && { value: Math.min(value, max), max })}
    />
  );
}
