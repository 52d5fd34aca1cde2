import type { Moment, Recording } from '../../../data/sites/recordings.ts';
import { Problem } from '../../../ui/messages/Problem.tsx';
import { useFormat } from '../../../words/format.ts';
import { useWords } from '../../../words/preferences.tsx';
import { PlayerControls } from './PlayerControls.tsx';
import { SeekBar } from './SeekBar.tsx';
import type { Player } from './usePlayer.ts';
import styles from './Player.module.css';

interface Props {
  recording: Recording;
  player: Player;
  moments: readonly Moment[];
}

/** Shows the visitor's screen, with controls below it. */
export function PlayerCard({ recording, player, moments }: Props) {
  const { recording: words } = useWords();
  const { state, seek, frame, attempt } = player;
  // Until everything is loaded, the server's duration is more accurate.
  const duration = state.isComplete ? state.until : Math.max(recording.duration_ms, state.until);
  return (
    <section className={styles.player} aria-label={words.player}>
      <iframe
        key={`screen ${attempt}`}
        ref={frame}
        src="/cabinet/replay"
        title={words.screen}
        className={styles.screen}
        tabIndex={-1}
      />
      <SeekBar
        at={state.at}
        until={state.until}
        duration={duration}
        gaps={state.gaps}
        moments={moments}
        onSeek={seek}
      />
      <PlayerControls key={`controls ${attempt}`} player={player} duration={duration} />
      <PlayerStatus player={player} />
    </section>
  );
}

/** Shows the state of loading and playing. */
function PlayerStatus({ player: { state, retry } }: { player: Player }) {
  const { recording: words } = useWords();
  const format = useFormat();
  if (state.error) return <Problem error={state.error} onRetry={retry} />;
  const lines = [
    ...(state.until === 0 && !state.isComplete ? [words.loading] : []),
    ...(state.hasFailed ? [state.until === 0 ? words.nothing : words.broken] : []),
    ...(state.isLimited ? [words.limited] : []),
    ...(state.skipped ? [words.skipped(format.span(secondsOf(state.skipped)))] : []),
  ];
  return (
    <p role="status" className={styles.status}>
      {lines.join(' ')}
    </p>
  );
}

function secondsOf({ from, to }: { from: number; to: number }): number {
  return Math.round((to - from) / 1000) * 1000;
}
