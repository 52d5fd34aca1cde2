import { useImperativeHandle, useRef, useState, type Ref, type SyntheticEvent } from 'react';
import type { cabinet } from '../../../../data/client.ts';
import type { Item } from '../../../../data/items/items.ts';
import { useWords } from '../../../../words/preferences.tsx';
import styles from './Player.module.css';

export interface PlayerHandle {
  /** Seeks and continues playing. */
  seek(seconds: number): void;
}

interface Props {
  ref: Ref<PlayerHandle>;
  medium: Item['media'][number];
  frames: readonly cabinet.FrameOut[];
  /** Called a few times a second during playback. */
  onTime: (seconds: number) => void;
}

export function Player({ ref, medium, frames, onTime }: Props) {
  const { item: words } = useWords();
  const element = useRef<HTMLMediaElement>(null);
  const { src, hasFailed, renew } = usePlayUrl(medium);
  useImperativeHandle(ref, () => ({
    seek(seconds) {
      if (!element.current) return;
      element.current.currentTime = seconds;
      // A browser may refuse to play before any interaction with the page; the position is right all the same.
      void element.current.play().catch(() => undefined);
      onTime(seconds);
    },
  }));
  const shared = {
    src,
    controls: true,
    preload: 'metadata',
    onTimeUpdate: ({ currentTarget }: SyntheticEvent<HTMLMediaElement>) => onTime(currentTarget.currentTime),
    onError: renew,
  } as const;
  const poster = frames[0]?.image_url;
  return (
    <div className={styles.player}>
      {medium.kind === 'video' && (
        // The transcript is shown beside it as text.
        <video
          ref={element as Ref<HTMLVideoElement>}
          {...shared}
          {...(poster && { poster })}
          className={styles.video}
        />
      )}
      {medium.kind === 'audio' && <audio ref={element as Ref<HTMLAudioElement>} {...shared} className={styles.audio} />}
      {medium.kind === 'image' && (
        <img src={src} alt={frames[0]?.description ?? ''} onError={renew} className={styles.image} />
      )}
      {hasFailed && (
        <p role="alert" className={styles.failed}>
          {words.mediumFailed}
        </p>
      )}
    </div>
  );
}

/**
 * Returns the first address, so that polling does not restart the video. After it expires, in an hour, the newest one
 * replaces it once.
 */
function usePlayUrl({ url, play_url: newest }: Item['media'][number]) {
  const [used, setUsed] = useState({ url, src: newest, hasFailed: false });
  if (used.url !== url) setUsed({ url, src: newest, hasFailed: false });
  const renew = (): void => setUsed({ url, src: newest, hasFailed: used.src === newest });
  return { src: used.src, hasFailed: used.hasFailed, renew };
}
