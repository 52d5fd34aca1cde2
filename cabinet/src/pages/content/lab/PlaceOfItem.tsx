import { Link } from '@tanstack/react-router';
import type { PlaceOfItem as Place } from '../../../data/output/output.ts';
import { Notice } from '../../../ui/messages/Notice.tsx';
import { useFormat } from '../../../words/format.ts';
import { useWords } from '../../../words/preferences.tsx';
import styles from './LabPage.module.css';

type Obstacle = Place['obstacles'][number];

interface Props {
  project: string;
  item: string;
  place: Place;
}

/** Shows the position of an item, or all reasons for its absence. */
export function PlaceOfItem({ project, item, place: { state, mode, position, rank, obstacles } }: Props) {
  const { absent, lab, types } = useWords();
  const { number, moment } = useFormat();
  const valueText = (code: Obstacle['code'], value: string | null): string => {
    if (value === null) return absent.noValue;
    if (code === 'type') return types[value as keyof typeof types] ?? value;
    return code === 'published_after' || code === 'published_before' ? moment(value) : value;
  };
  const isUnknown = obstacles.some(({ code }) => code === 'unknown');
  const said = {
    shown: absent.shown(number((position ?? 0) + 1)),
    kept_out: absent.keptOut,
    author_limit: absent.authorLimit(rank === null ? '' : number(rank)),
    below: rank === null ? absent.farBelow : absent.below(number(rank)),
    not_ranked: mode === 'fallback' ? lab.modes.fallback : absent.notRanked,
  }[state];
  return (
    <>
      <Notice tone={state === 'shown' ? 'good' : 'warn'}>
        <p>
          {isUnknown ? (
            item
          ) : (
            <Link to="/p/$project/items/$item" params={{ project, item }}>
              {item}
            </Link>
          )}
          {': '}
          {said}
        </p>
      </Notice>
      {obstacles.length > 0 && (
        <ul className={styles.obstacles} aria-label={absent.keptOut}>
          {obstacles.map(({ code, value }) => (
            <li key={`${code} ${value}`}>{absent.obstacles[code](valueText(code, value))}</li>
          ))}
        </ul>
      )}
    </>
  );
}
