/** The recording of a visit in one tab, from page to page: sessionStorage is a tab's own. */
import { VISIT_PAUSE_MS } from '../domain/visits/rules.ts';
import { stringify } from './json.ts';
import { UUID } from './limits.ts';

const NAME = '_svc_r';

export interface RecordingSession {
  id: string;
  /** Whose it is. */
  visitor: string;
  /** Of the next chunk. */
  seq: number;
  /** Epoch milliseconds of the last thing that the visitor did. */
  at: number;
  /** Whatever became of the first chunk, it is over: the server has it or will not have it. */
  isAnswered: boolean;
  /** Answers of /collect in a row, since then, that do not name the recording. */
  misses: number;
}

export function newSession(id: string, visitor: string): RecordingSession {
  return { id, visitor, seq: 0, at: Date.now(), isAnswered: false, misses: 0 };
}

/** Null when none of this visitor has begun, or when its visit is over. */
export function readSession(now: number, visitor: string): RecordingSession | null {
  try {
    const session = JSON.parse(String(sessionStorage.getItem(NAME))) as RecordingSession | null;
    const isLive =
      session !== null &&
      session.visitor === visitor &&
      UUID.test(session.id) &&
      Number.isInteger(session.seq) &&
      now - session.at <= VISIT_PAUSE_MS;
    return isLive ? session : null;
  } catch {
    return null;
  }
}

export function forgetSession(): void {
  try {
    sessionStorage.removeItem(NAME);
  } catch {
    // forbidden
  }
}

/** Where it cannot be kept each page is a recording of its own. */
export function writeSession(session: RecordingSession): void {
  try {
    sessionStorage.setItem(NAME, stringify(session));
  } catch {
    // forbidden
  }
}
