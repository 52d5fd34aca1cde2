import type { cabinet } from '../../../../data/client.ts';
import { Card } from '../../../../ui/layout/Card.tsx';
import { TimedEntry, TimedList } from '../../../../ui/tables/TimedList.tsx';
import { useWords } from '../../../../words/preferences.tsx';
import { segmentAt } from './segmentAt.ts';

interface Props {
  /** Chapters of the playing medium, in order of time. */
  chapters: readonly cabinet.ChapterOut[];
  /** Language of their titles; empty if unknown. */
  language: string;
  /** Position of the player, in seconds. */
  time: number;
  onSeek: (seconds: number) => void;
}

/** Lists the chapters of a recording. The current one is marked; a click seeks to the start of another. */
export function Chapters({ chapters, language, time, onSeek }: Props) {
  const { item: words } = useWords();
  const current = segmentAt(chapters, time);
  return (
    <Card title={words.chapters}>
      <TimedList lang={language} isWide>
        {chapters.map(({ start, title }, at) => (
          <TimedEntry
            key={start}
            seconds={start}
            isCurrent={at === current}
            mark="location"
            onPress={() => onSeek(start)}
          >
            <span>{title}</span>
          </TimedEntry>
        ))}
      </TimedList>
    </Card>
  );
}
