import { Link } from '@tanstack/react-router';
import { useWords } from '../../../words/preferences.tsx';
import { Change } from './Change.tsx';
import { BETTER_DIRECTION, type Figure } from './figures/figures.ts';
import styles from './OverviewPage.module.css';

interface Props {
  figure: Figure;
  isChosen: boolean;
  /** Null while unknown. */
  value: number | null;
  /** The value of the compared days; null if there are none or it is unknown. */
  before: number | null;
  textOf: (figure: Figure, value: number) => string;
}

/** Shows a figure of the whole period; a click selects it for the chart. */
export function FigureTile({ figure, isChosen, value, before, textOf }: Props) {
  const { overview } = useWords();
  return (
    <Link
      to="."
      search={(search) => ({ ...search, figure })}
      replace
      resetScroll={false}
      className={styles.tile}
      data-chosen={isChosen || undefined}
      aria-current={isChosen}
    >
      <span className={styles.name}>{overview.figureNames[figure]}</span>
      <strong className={styles.value}>{value === null ? '…' : textOf(figure, value)}</strong>
      {value !== null && before !== null && (
        <Change now={value} before={before} good={BETTER_DIRECTION[figure]} text={textOf(figure, before)} />
      )}
    </Link>
  );
}
