import type { Export } from '../../../data/report/exports.ts';
import { useFormat } from '../../../words/format.ts';
import styles from './ExportProgress.module.css';

/** Shows the progress of a file. */
export function ExportProgress({ file: { progress }, label }: { file: Export; label: string }) {
  const { percent } = useFormat();
  return (
    <span className={styles.progress}>
      <progress value={progress} max={1} aria-label={label} />
      {percent(progress)}
    </span>
  );
}
