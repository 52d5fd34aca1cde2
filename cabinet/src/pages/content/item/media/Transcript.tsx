import { Check } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Checkbox } from 'react-aria-components/Checkbox';
import type { cabinet } from '../../../../data/client.ts';
import type { Item } from '../../../../data/items/items.ts';
import { Card } from '../../../../ui/layout/Card.tsx';
import { TimedEntry, TimedList } from '../../../../ui/tables/TimedList.tsx';
import { useWords } from '../../../../words/preferences.tsx';
import { pendingText } from '../analysis/pendingText.ts';
import { reasonOf } from '../analysis/remedies.ts';
import { segmentAt } from './segmentAt.ts';
import styles from './Transcript.module.css';

interface Props {
  item: Item;
  transcript: cabinet.TranscriptOut | undefined;
  /** Position of the player, in seconds. */
  time: number;
  onSeek: (seconds: number) => void;
}

/** Shows the transcript by segments. The current one is marked; a click seeks to a segment. */
export function Transcript({ item, transcript, time, onSeek }: Props) {
  const { item: words } = useWords();
  const [follows, setFollows] = useState(true);
  const segments = transcript?.segments ?? [];
  const current = segmentAt(segments, time);
  const list = useAutoScroll(current, follows);
  const follow = (
    <Checkbox isSelected={follows} onChange={setFollows} className={styles.follow ?? ''}>
      <span className={styles.box} aria-hidden>
        <Check size={12} strokeWidth={3} />
      </span>
      {words.follow}
    </Checkbox>
  );
  return (
    <Card title={words.transcript} aside={segments.length > 0 && follow}>
      {segments.length === 0 ? (
        <NoTranscript item={item} />
      ) : (
        <TimedList ref={list} lang={transcript?.language ?? ''}>
          {segments.map(({ start, text, speaker }, at) => (
            <TimedEntry key={`${start} ${at}`} seconds={start} isCurrent={at === current} onPress={() => onSeek(start)}>
              <span>
                {speaker !== null && <strong className={styles.speaker}>{speaker}</strong>}
                {text}
              </span>
            </TimedEntry>
          ))}
        </TimedList>
      )}
    </Card>
  );
}

function NoTranscript({ item }: { item: Item }) {
  const words = useWords();
  const pending = pendingText(item.processing.speech, words.item);
  const said = pending ?? reasonOf(item, 'speech', words) ?? words.item.noTranscript;
  return <p className={styles.none}>{said}</p>;
}

/** Scrolls only within the list: the page must not move while somebody reads elsewhere. */
function useAutoScroll(current: number, follows: boolean) {
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    const entry = list.current?.children[current];
    if (!follows || !list.current || !(entry instanceof HTMLElement)) return;
    const middle = entry.offsetTop - (list.current.clientHeight - entry.offsetHeight) / 2;
    list.current.scrollTo({ top: middle, behavior: 'smooth' });
  }, [current, follows]);
  return list;
}
