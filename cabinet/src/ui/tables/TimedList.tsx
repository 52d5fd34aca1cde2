import type { ReactNode, Ref } from 'react';
import { clock } from '../../words/format.ts';
import styles from './TimedList.module.css';

interface Props {
  ref?: Ref<HTMLOListElement>;
  /** Language of its content; empty if unknown. */
  lang?: string;
  /** Side by side if there is room. */
  isWide?: boolean;
  /** Entries. */
  children: ReactNode;
}

/** Lists events of a medium or a recording in order; the list scrolls separately. */
export function TimedList({ ref, lang, isWide = false, children }: Props) {
  return (
    <ol ref={ref} lang={lang} data-wide={isWide || undefined} className={styles.list} tabIndex={-1}>
      {children}
    </ol>
  );
}

interface EntryProps {
  /** Seconds from the beginning. */
  seconds: number;
  /** Whether the player is at this entry. */
  isCurrent: boolean;
  /** How the current entry is announced. */
  mark?: 'true' | 'location';
  onPress: () => void;
  children: ReactNode;
}

/** An entry that seeks to its moment. */
export function TimedEntry({ seconds, isCurrent, mark = 'true', onPress, children }: EntryProps) {
  return (
    <li>
      <button type="button" className={styles.entry} aria-current={isCurrent ? mark : undefined} onClick={onPress}>
        <span className={styles.time}>{clock(seconds)}</span>
        {children}
      </button>
    </li>
  );
}
