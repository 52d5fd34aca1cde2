import type { cabinet } from '../../../../data/client.ts';
import { Card } from '../../../../ui/layout/Card.tsx';
import { StableImage } from '../../../../ui/layout/StableImage.tsx';
import { clock } from '../../../../words/format.ts';
import { useWords } from '../../../../words/preferences.tsx';
import styles from './Frames.module.css';

interface Props {
  frames: readonly cabinet.FrameOut[];
  /** Changes when there may be other frames. */
  state: string;
  onSeek: (seconds: number) => void;
}

/** Shows frames, each of which seeks to its moment. Repeated frames are left out. */
export function Frames({ frames, state, onSeek }: Props) {
  const { item: words } = useWords();
  const distinct = frames.filter((frame) => frame.duplicate_of_ts === null);
  return (
    <Card title={words.frames}>
      <ol className={styles.strip}>
        {distinct.map((frame) => (
          <li key={frame.ts}>
            <button type="button" className={styles.frame} onClick={() => onSeek(frame.ts)}>
              {frame.image_url !== null && <StableImage src={frame.image_url} state={state} className={styles.image} />}
              <span className={styles.time}>
                <span className="heard">{words.frameAt('')}</span>
                {clock(frame.ts)}
              </span>
              <span className={styles.text}>{frame.description || frame.ocr_text}</span>
            </button>
          </li>
        ))}
      </ol>
    </Card>
  );
}
