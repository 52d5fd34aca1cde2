import { useEffect, useRef, useState, type RefObject } from 'react';
import { fetchParts, type RecordingIds } from '../../../data/sites/recordings.ts';
import type { Gap } from '../../../replay/inactivity.ts';
import { isFrom, type FromPlayer, type ToPlayer } from '../../../replay/playerMessages.ts';
import { splitParts } from '../../../replay/unpackParts.ts';

export interface PlayerState {
  /** Milliseconds from the beginning. */
  at: number;
  /** Duration loaded so far. */
  until: number;
  gaps: readonly Gap[];
  isPlaying: boolean;
  isComplete: boolean;
  isLimited: boolean;
  hasFailed: boolean;
  /** The most recently skipped gap. */
  skipped: Gap | null;
  /** The error that stopped the loading of parts. */
  error: Error | null;
}

export interface Player {
  frame: RefObject<HTMLIFrameElement | null>;
  state: PlayerState;
  send(message: ToPlayer): void;
  seek(at: number): void;
  /** Reloads the recording from the beginning. */
  retry(): void;
  /** Changes with each attempt; the frame is then recreated. */
  attempt: number;
}

const FIRST: PlayerState = {
  at: 0,
  until: 0,
  gaps: [],
  isPlaying: false,
  isComplete: false,
  isLimited: false,
  hasFailed: false,
  skipped: null,
  error: null,
};

/**
 * Controls the player in its document: passes it the parts as they arrive, and receives its position.
 * @param start initial position, in milliseconds
 */
export function usePlayer({ site, recording }: RecordingIds, start: number): Player {
  const frame = useRef<HTMLIFrameElement>(null);
  const [state, setState] = useState(FIRST);
  const [attempt, setAttempt] = useState(0);
  const change = (changed: Partial<PlayerState>): void => setState((known) => ({ ...known, ...changed }));
  const send = (message: ToPlayer): void => frame.current?.contentWindow?.postMessage(message, location.origin);
  const seek = (at: number): void => {
    // Moves the bar immediately: a browser resets the input if it gets a different value.
    change({ at });
    send({ type: 'seek', at });
  };
  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    let goal = start;
    const hear = (event: MessageEvent): void => {
      if (!isFrom(event, frame.current?.contentWindow ?? null)) return;
      const message = event.data as FromPlayer;
      if (message.type === 'ready')
        void load({ site, recording }, signal, send).catch((error: unknown) => {
          if (!signal.aborted) change({ error: error as Error });
        });
      else change(changeOf(message));
      // Seeks once that position is loaded; only once, because the user may have moved on by then.
      if (message.type === 'loaded' && goal > 0 && (message.until >= goal || message.isComplete)) {
        seek(Math.min(goal, message.until));
        goal = 0;
      }
    };
    addEventListener('message', hear, { signal });
    setState(FIRST);
    return () => ending.abort();
    // The position in the address is only the initial one.
  }, [site, recording, start, attempt]);
  return { frame, state, send, seek, attempt, retry: () => setAttempt((count) => count + 1) };
}

async function load(ids: RecordingIds, signal: AbortSignal, send: (message: ToPlayer) => void): Promise<void> {
  for (let from = 0; ;) {
    const bytes = await fetchParts(ids, from, signal);
    const last = splitParts(bytes).at(-1);
    if (!last) break;
    from = last.seq + 1;
    send({ type: 'parts', bytes });
  }
  send({ type: 'complete' });
}

function changeOf(message: Exclude<FromPlayer, { type: 'ready' }>): Partial<PlayerState> {
  switch (message.type) {
    case 'loaded': {
      const { until, gaps, isComplete, isLimited } = message;
      return { until, gaps, isComplete, isLimited };
    }
    case 'time':
      return { at: message.at, isPlaying: message.isPlaying };
    case 'skipped':
      return { skipped: message.gap };
    case 'failed':
      return { hasFailed: true };
  }
}
