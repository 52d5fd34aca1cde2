import { FileText, Flag, MousePointerClick, TriangleAlert } from 'lucide-react';
import { useMemo } from 'react';
import type { cabinet } from '../../../data/client.ts';
import type { Moment } from '../../../data/sites/recordings.ts';
import { Card } from '../../../ui/layout/Card.tsx';
import { TimedEntry, TimedList } from '../../../ui/tables/TimedList.tsx';
import { useWords } from '../../../words/preferences.tsx';
import styles from './Moments.module.css';

const ICONS = { page: FileText, click: MousePointerClick, goal: Flag, error: TriangleAlert } as const;

interface Props {
  timeline: cabinet.RecordingTimeline;
  /** Position of the player, in milliseconds. */
  at: number;
  onSeek: (at: number) => void;
}

/** Lists the events of a recording. The last one before the position is marked; a click seeks to an event. */
export function Moments({ timeline: { moments, truncated, read }, at, onSeek }: Props) {
  const { recording: words } = useWords();
  const current = useMemo(() => moments.findLastIndex(({ offset_ms }) => offset_ms <= at), [moments, at]);
  return (
    <Card title={words.moments}>
      {!read && <p className={styles.none}>{words.unread}</p>}
      {read && moments.length === 0 && <p className={styles.none}>{words.noMoments}</p>}
      {moments.length > 0 && (
        <TimedList>
          {moments.map((moment, index) => (
            <TimedEntry
              key={`${moment.offset_ms} ${index}`}
              seconds={moment.offset_ms / 1000}
              isCurrent={index === current}
              onPress={() => onSeek(moment.offset_ms)}
            >
              <MomentLabel moment={moment} />
            </TimedEntry>
          ))}
        </TimedList>
      )}
      {truncated && <p className={styles.none}>{words.moreMoments}</p>}
    </Card>
  );
}

function MomentLabel({ moment: { type, text, title } }: { moment: Moment }) {
  const { recording: words } = useWords();
  const Icon = ICONS[type];
  return (
    <span className={styles.moment} data-type={type}>
      <Icon aria-hidden size={16} className={styles.icon} />
      <span>
        <span className={styles.kind}>{words.types[type]}</span> {title ?? text}
      </span>
    </span>
  );
}
