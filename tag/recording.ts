/** Session recordings: the second script is loaded only when the server wants one. */
import { forgetSession, type RecordingSession } from './recordingSession.ts';

/** What tag-record.js leaves on the `svc` function. */
export type StartRecording = (options: RecordingOptions) => RunningRecording;

export interface RunningRecording {
  stop(): void;
  /** As it is at any time. */
  session: RecordingSession;
}

export interface RecordingOptions {
  /** Where chunks go. */
  url: string;
  key: string;
  visitorId(): string;
  /** Whether the site wants no text of its pages recorded; as the server said last. */
  masksTexts(): boolean;
}

export interface RecordingHost {
  recorder?: StartRecording;
}

/** Of an answer of /collect. */
export interface RecordingWords {
  /** "on", "full" (the day's quota is used up: begin none), or nothing. */
  recording?: unknown;
  /** Recordings of this visitor whose first chunk the server has; missing when it does not know. */
  recording_ids?: unknown;
  /** True when no text of the pages may be recorded. */
  mask_texts?: unknown;
}

export interface Recording {
  hear(words: RecordingWords): void;
}

export interface RecordingSettings extends Omit<RecordingOptions, 'masksTexts'> {
  scriptUrl: string;
  /** Of the page's Content-Security-Policy. */
  nonce: string;
  host: RecordingHost;
  /** The recording of this visit that has begun in this tab. */
  begunId(): string | undefined;
}

/** The first answer after a chunk's may have been on its way before it; requests go one at a time, so the second was not. */
const MISSES = 2;
/** What is refused again and again is let be until the next page. */
const MAX_LOST = 3;

export function createRecording(settings: RecordingSettings): Recording {
  let wanted = false;
  let isLoading = false;
  let running: RunningRecording | null = null;
  let lost = 0;
  let isMasked = false;
  const start = (): void => {
    if (wanted && running === null && settings.host.recorder)
      running = settings.host.recorder({ ...settings, masksTexts: () => isMasked });
  };
  const stop = (): void => {
    running?.stop();
    running = null;
  };
  /** The answers to chunks cannot be read: a recording that the server does not have was refused, or its first chunk was lost. */
  const dropLost = (ids: readonly unknown[] | null): void => {
    const session = running?.session;
    if (!session || !ids || !session.isAnswered) return;
    session.misses = ids.includes(session.id) ? 0 : session.misses + 1;
    if (session.misses < MISSES) return;
    lost += 1;
    stop();
    forgetSession();
  };
  return {
    hear({ recording: word, recording_ids: given, mask_texts: masked }) {
      isMasked = masked === true;
      const ids = Array.isArray(given) ? (given as unknown[]) : null;
      dropLost(ids);
      wanted =
        lost < MAX_LOST &&
        (word === 'on' || (word === 'full' && (running !== null || ids?.includes(settings.begunId()) === true)));
      if (!wanted) {
        stop();
      } else if (isLoading || settings.host.recorder) {
        start();
      } else {
        isLoading = true;
        load(settings, start);
      }
    },
  };
}

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string };
}

/** A script that a trusted script adds runs under a policy of nonces and `strict-dynamic` too. */
function load({ scriptUrl, nonce }: RecordingSettings, onLoad: () => void): void {
  const script = document.createElement('script');
  const { trustedTypes } = window as { trustedTypes?: TrustedTypes };
  const policy = trustedTypes?.createPolicy('svc-tag', { createScriptURL: (url) => url });
  script.src = policy ? policy.createScriptURL(scriptUrl) : scriptUrl;
  script.async = true;
  if (nonce !== '') script.nonce = nonce;
  script.addEventListener('load', onLoad);
  document.head.append(script);
}
