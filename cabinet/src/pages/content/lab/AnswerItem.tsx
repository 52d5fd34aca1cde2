import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ListedItem } from '../../../data/items/items.ts';
import type { ShownItem } from '../../../data/output/output.ts';
import { Hint } from '../../../ui/messages/Hint.tsx';
import { Disclosure } from '../../../ui/layout/Disclosure.tsx';
import { clock, useFormat } from '../../../words/format.ts';
import { useWords } from '../../../words/preferences.tsx';
import { Explanation } from './itemParts/Explanation.tsx';
import { HighlightedText } from './itemParts/HighlightedText.tsx';
import { titleOf } from './itemParts/titleOf.ts';
import { Thumb } from '../items/Thumb.tsx';
import styles from './LabPage.module.css';

/** Returns the content to show beside the score of the item with this id. */
export type Marker = (id: string) => ReactNode;

interface Props {
  project: string;
  item: ShownItem;
  /** The item's data for its picture, once loaded. */
  listed: ListedItem | undefined;
  mark: Marker | undefined;
}

/** Shows an item of an answer: the item, the reason for it, and the parts of its score. */
export function AnswerItem({ project, item, listed, mark }: Props) {
  const { lab } = useWords();
  const { number } = useFormat();
  const title = titleOf(item);
  return (
    <li className={`${styles.item} ${styles.shown}`}>
      <span className={styles.place}>{item.position + 1}</span>
      <Thumb item={listed} />
      <span className={styles.head}>
        <Link to="/p/$project/items/$item" params={{ project, item: item.id }}>
          {title ?? item.id}
        </Link>
        {title !== null && <span className={styles.id}>{item.id}</span>}
        <Reason project={project} reason={item.reason} />
      </span>
      <span className={styles.score} title={lab.scoreHint}>
        <span className="heard">{lab.score}</span> {number(Number(item.score.toFixed(3)))} {mark?.(item.id)}
      </span>
      {'highlights' in item && <Excerpts item={item} />}
      {item.explain && (
        <Disclosure title={lab.why} label={lab.whyOf(title ?? item.id)}>
          <Explanation explain={item.explain} />
        </Disclosure>
      )}
    </li>
  );
}

function Reason({ project, reason: { code, item, value } }: { project: string; reason: ShownItem['reason'] }) {
  const { lab } = useWords();
  return (
    <Hint>
      {lab.reasons[code]}{' '}
      {item !== undefined && (
        <Link to="/p/$project/items/$item" params={{ project, item }}>
          {item}
        </Link>
      )}
      {value}
    </Hint>
  );
}

function Excerpts({ item }: { item: Extract<ShownItem, { highlights: unknown }> }) {
  const { lab } = useWords();
  const texts = item.highlights.filter(({ field }) => field !== 'title');
  if (texts.length + item.chunks.length === 0) return null;
  return (
    <div>
      {texts.map(({ field, text, ranges }) => (
        <Hint key={field}>
          <HighlightedText text={text} ranges={ranges} />
        </Hint>
      ))}
      {item.chunks.map(({ start_sec: start, text, chapter, media_position: medium }) => (
        <Hint key={`${medium} ${start} ${text}`}>
          {start !== null && `${lab.moment(clock(start))}: `}
          {chapter !== undefined && chapter !== text && <strong>{chapter}: </strong>}
          {text}
        </Hint>
      ))}
    </div>
  );
}
