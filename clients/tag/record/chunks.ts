/** Sends recorded events in chunks of about five seconds: a line of JSON about the chunk, then its events in gzip. */
import { CHUNK_MAX_BYTES, RECORDING_MAX_CHUNKS } from '../../../domain/recordings/recordingLimits.ts';
import { stringify } from '../data/json.ts';
import { quietly } from '../page/page.ts';
import type { RecordingOptions } from '../recording.ts';
import { writeSession, type RecordingSession } from '../recordingSession.ts';
import { TEXT } from '../sending/transport.ts';
import { gzip, gzipStored } from './gzip.ts';

const CHUNK_MS = 5000;
/** Text compresses to about a tenth, so a chunk stays well below the limit unless the page itself exceeds it. */
const CHUNK_CHARACTERS = 1_000_000;
/** Limit that leaves room for hits in the total of keepalive bodies that browsers allow. */
const KEEPALIVE_BYTES = 40_000;
const RETRY_DELAYS_MS = [2000, 10_000, 30_000];

export interface Chunks {
  /** @param isFullSnapshot true for a snapshot of the whole page, without which later events mean nothing */
  add(json: string, at: number, isFullSnapshot: boolean): void;
  flush(): void;
  /** Hands over waiting events of a page that is being left, uncompressed if they are small enough. */
  leave(): void;
}

interface Chunk {
  head: string;
  json: string;
  hasFullSnapshot: boolean;
  /** Called once there are no more attempts to send the chunk. */
  onSent(): void;
}

/** @param onTooLarge called when the page is too large to be recorded */
export function createChunks(options: RecordingOptions, session: RecordingSession, onTooLarge: () => void): Chunks {
  let parts: string[] = [];
  let [characters, from, to] = [0, 0, 0];
  let hasFullSnapshot = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Numbers and empties the chunk synchronously, so that two chunks cannot collide however long compression takes. */
  const cutOff = (): Chunk | null => {
    clearTimeout(timer);
    timer = undefined;
    if (parts.length === 0 || session.seq >= RECORDING_MAX_CHUNKS) return null;
    const head = stringify({
      key: options.key,
      visitor_id: session.visitor,
      recording_id: session.id,
      seq: session.seq,
      sent_at: new Date().toISOString(),
      from,
      to,
      events: parts.length,
    });
    const { id, seq } = session;
    const onSent = (): void => {
      if (seq === 0 && session.id === id) session.isAnswered = true;
    };
    const chunk = { head: `${head}\n`, json: `[${parts.join(',')}]`, hasFullSnapshot, onSent };
    session.seq += 1;
    writeSession(session);
    [parts, characters, hasFullSnapshot] = [[], 0, false];
    return chunk;
  };
  const flush = (): void => {
    const chunk = cutOff();
    if (chunk) void compressAndSend(options.url, chunk, onTooLarge);
  };
  return {
    add(json, at, isFullSnapshot) {
      // Pointer movements arrive grouped, with the time of the first.
      [from, to] = parts.length === 0 ? [at, at] : [Math.min(at, from), Math.max(at, to)];
      parts.push(json);
      characters += json.length;
      hasFullSnapshot ||= isFullSnapshot;
      if (characters > CHUNK_CHARACTERS) flush();
      else timer ??= setTimeout(() => quietly(flush), CHUNK_MS);
    },
    flush,
    leave() {
      const chunk = cutOff();
      if (!chunk) return;
      const body = new Blob([chunk.head, gzipStored(chunk.json)]);
      if (body.size <= KEEPALIVE_BYTES)
        void post(options.url, body, true)
          .catch(() => {})
          .then(chunk.onSent);
      else void compressAndSend(options.url, chunk, onTooLarge);
    },
  };
}

async function compressAndSend(
  url: string,
  { head, json, hasFullSnapshot, onSent }: Chunk,
  onTooLarge: () => void,
): Promise<void> {
  try {
    const compressed = await gzip(json);
    if (compressed.byteLength <= CHUNK_MAX_BYTES) {
      await postWithRetries(url, new Blob([head, compressed]));
      onSent();
    } else if (hasFullSnapshot) {
      onTooLarge();
    }
  } catch {
    // This leaves a gap in the recording; the player continues at the next full snapshot.
  }
}

async function postWithRetries(url: string, body: Blob): Promise<void> {
  for (const delay of RETRY_DELAYS_MS) {
    try {
      return await post(url, body, body.size <= KEEPALIVE_BYTES);
    } catch {
      await new Promise((resolve) => {
        setTimeout(resolve, delay);
      });
    }
  }
}

/**
 * Sends without CORS, which only hits use, so the response cannot be read; the responses to hits say which
 * recordings the server has.
 */
async function post(url: string, body: Blob, keepalive: boolean): Promise<void> {
  await fetch(url, {
    method: 'POST',
    mode: 'no-cors',
    credentials: 'omit',
    headers: { 'Content-Type': TEXT },
    body,
    keepalive,
  });
}
