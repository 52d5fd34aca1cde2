import { useFormat } from '../../../words/format.ts';
import { useWords } from '../../../words/preferences.tsx';
import { changeOf } from './figures/figures.ts';
import styles from './OverviewPage.module.css';

interface Props {
  now: number;
  before: number;
  /** The direction that counts as an improvement. */
  good: 'up' | 'down';
  /** The earlier value. */
  text: string;
}

/** Shows the change of a value, and its earlier value. */
export function Change({ now, before, good, text }: Props) {
  const { overview } = useWords();
  const format = useFormat();
  const change = changeOf(now, before);
  const isBetter = good === 'up' ? now > before : now < before;
  const tone = now === before ? undefined : isBetter ? 'good' : 'bad';
  return (
    <span className={styles.change} data-tone={tone}>
      {change !== null && <b>{format.change(change)}</b>} {overview.was(text)}
    </span>
  );
}
