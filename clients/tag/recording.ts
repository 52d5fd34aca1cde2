/** Session recordings: the second script is loaded only when the server requests a recording. */
import { deleteSession, type RecordingSession } from './recordingSession.ts';

/** The function that tag-record.js leaves on the `svc` function. */
export type StartRecording = (options: RecordingOptions) => RunningRecording;

export interface RunningRecording {
  stop(): void;
  /** The current session. */
  session: RecordingSession;
}

export interface RecordingOptions {
  /** Address that chunks are sent to. */
  url: string;
  key: string;
  visitorId(): string;
  /** Returns true when the site wants no text of its pages recorded, by the server's latest response. */
  masksTexts(): boolean;
}

export interface RecordingHost {
  recorder?: StartRecording;
}

/** Fields of a response of /collect. */
export interface RecordingAnswer {
  /** "on", "full" (the day's quota is used up, so no new recording may begin), or absent. */
  recording?: unknown;
  /** Recordings of this visitor whose first chunk the server has; absent when it does not know. */
  recording_ids?: unknown;
  /** True when no text of the pages may be recorded. */
  mask_texts?: unknown;
}

export interface Recording {
  onAnswer(answer: RecordingAnswer): void;
}

export interface RecordingSettings extends Omit<RecordingOptions, 'masksTexts'> {
  scriptUrl: string;
  /** Nonce of the page's Content-Security-Policy. */
  nonce: string;
  host: RecordingHost;
  /** Returns the id of this visit's recording that has begun in this tab. */
  startedRecordingId(): string | undefined;
}

/**
 * Number of responses without the recording after which it counts as lost. The first one may have been sent before the
 * chunk arrived; the second cannot, because hits are sent one request at a time.
 */
const MISSES = 2;
/** After this many refused recordings, nothing is recorded until the next page. */
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
  /**
   * Drops a recording that the server does not have, because it was refused or its first chunk was lost. The responses
   * to chunks cannot be read.
   */
  const dropLost = (ids: readonly unknown[] | null): void => {
    const session = running?.session;
    if (!session || !ids || !session.isAnswered) return;
    session.misses = ids.includes(session.id) ? 0 : session.misses + 1;
    if (session.misses < MISSES) return;
    lost += 1;
    stop();
    deleteSession();
  };
  return {
    onAnswer({ recording: word, recording_ids: given, mask_texts: masked }) {
      isMasked = masked === true;
      const ids = Array.isArray(given) ? (given as unknown[]) : null;
      dropLost(ids);
      wanted =
        lost < MAX_LOST &&
        (word === 'on' ||
          (word === 'full' && (running !== null || ids?.includes(settings.startedRecordingId()) === true)));
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

/**
 * Adds the script from this one: a script that a trusted script adds also runs under a policy of nonces and
 * `strict-dynamic`.
 */
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
