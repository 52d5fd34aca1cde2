import type { ChangeEvent } from 'react';
import type { Moment } from '../../../data/sites/recordings.ts';
import type { Gap } from '../../../replay/inactivity.ts';
import { clock } from '../../../words/format.ts';
import { useWords } from '../../../words/preferences.tsx';
import styles from './Player.module.css';

interface Props {
  at: number;
  /** The loaded duration; `duration` is the total one. */
  until: number;
  duration: number;
  gaps: readonly Gap[];
  moments: readonly Moment[];
  onSeek: (at: number) => void;
}

/** An arrow key seeks by one second. */
const SECOND_MS = 1_000;
/** There are too many clicks to distinguish on the bar. */
const MARKED: ReadonlySet<Moment['type']> = new Set(['page', 'goal', 'error']);

/** Shows and changes the position in the recording. Stretches without activity are drawn even if they are skipped. */
export function SeekBar({ at, until, duration, gaps, moments, onSeek }: Props) {
  const { recording } = useWords();
  const left = (offset: number): string => `${duration > 0 ? Math.min(100, (offset / duration) * 100) : 0}%`;
  const width = ({ from, to }: Gap): string => `${duration > 0 ? ((to - from) / duration) * 100 : 0}%`;
  const change = ({ target }: ChangeEvent<HTMLInputElement>): void => onSeek(target.valueAsNumber * SECOND_MS);
  return (
    <div className={styles.seek}>
      <div className={styles.track} aria-hidden>
        <span className={styles.loaded} style={{ width: left(until) }} />
        <span className={styles.played} style={{ width: left(at) }} />
        {gaps.map((gap) => (
          <span key={gap.from} className={styles.gap} style={{ insetInlineStart: left(gap.from), width: width(gap) }} />
        ))}
        {moments
          .filter(({ type }) => MARKED.has(type))
          .map(({ offset_ms, type }, index) => (
            <span
              key={`${offset_ms} ${index}`}
              className={styles.mark}
              data-type={type}
              style={{ insetInlineStart: left(offset_ms) }}
            />
          ))}
      </div>
      <input
        type="range"
        className={styles.range}
        aria-label={recording.position}
        aria-valuetext={recording.positionOf(clock(at / 1000), clock(duration / 1000))}
        min={0}
        max={Math.max(1, Math.ceil(duration / SECOND_MS))}
        value={Math.round(at / SECOND_MS)}
        onChange={change}
      />
    </div>
  );
}
