/**
 * The recording of a visit in one tab, across pages: sessionStorage belongs to one tab. A tab that a page opens, or
 * that the visitor duplicates, begins with a copy of it.
 */
import { VISIT_PAUSE_MS } from '../../domain/visits/visitPause.ts';
import { stringify } from './data/json.ts';
import { isUuidInAnyCase } from '../../domain/uuid.ts';

const NAME = '_svc_r';

export interface RecordingSession {
  id: string;
  /** Id of the visitor who is recorded. */
  visitor: string;
  /** Number of the next chunk. */
  seq: number;
  /** Epoch milliseconds of the visitor's last action. */
  at: number;
  /** True once the request with the first chunk has ended: the server has the chunk or will never have it. */
  isAnswered: boolean;
  /** True while a page records: a page that finds it true has a copy of another tab's session. */
  isOpen?: boolean;
  /** Number of consecutive responses of /collect, since `isAnswered`, that do not name the recording. */
  misses: number;
}

export function newSession(id: string, visitor: string): RecordingSession {
  return { id, visitor, seq: 0, at: Date.now(), isAnswered: false, isOpen: true, misses: 0 };
}

/**
 * Returns null when no recording of this visitor has begun, or when its visit is over.
 * @param now epoch milliseconds
 */
export function readSession(now: number, visitor: string): RecordingSession | null {
  try {
    const session = JSON.parse(String(sessionStorage.getItem(NAME))) as RecordingSession | null;
    const isLive =
      session !== null &&
      session.visitor === visitor &&
      isUuidInAnyCase(session.id) &&
      Number.isInteger(session.seq) &&
      now - session.at <= VISIT_PAUSE_MS;
    return isLive ? session : null;
  } catch {
    return null;
  }
}

export function deleteSession(): void {
  try {
    sessionStorage.removeItem(NAME);
  } catch {
    // forbidden
  }
}

/** Stores the session. Where storage is forbidden, each page becomes a recording of its own. */
export function writeSession(session: RecordingSession): void {
  try {
    sessionStorage.setItem(NAME, stringify(session));
  } catch {
    // forbidden
  }
}
