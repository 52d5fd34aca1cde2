/** Records what the visitor sees and does, with rrweb; inputs and what looks personal are masked, private parts are blank. */
import { record } from '@rrweb/record';
import type { RecordingOptions, RunningRecording } from '../recording.ts';
import { newSession, readSession, writeSession, type RecordingSession } from '../recordingSession.ts';
import { stringify } from '../json.ts';
import { quietly } from '../page.ts';
import { newUuid } from '../visitor.ts';
import { createChunks, type Chunks } from './chunks.ts';
import { MASKED, maskEvent } from './mask.ts';

/** After this long without the visitor nothing is recorded, so that an idle page costs nothing. */
const IDLE_MS = 300_000;

/** rrweb's numbers for types and sources of events. */
const [FULL_SNAPSHOT, INCREMENTAL] = [2, 3];
/** Mouse movement, mouse interaction, scroll, resize, input, touch movement, media, selection. */
const BY_VISITOR = new Set([1, 2, 3, 4, 5, 6, 7, 14]);

interface Recorded {
  type: number;
  data: unknown;
  timestamp: number;
}

export function startRecording(options: RecordingOptions): RunningRecording {
  const session = openSession(options.visitorId());
  if (typeof CompressionStream === 'undefined') return { session, stop() {} };
  const chunks = createChunks(options, session, () => stop());
  let isIdle = false;
  const masking = { all: options.masksTexts(), nodeOf: (id: number) => record.mirror.getNode(id) };
  const onEvent = (event: Recorded): void =>
    quietly(() => {
      if (isByVisitor(event)) {
        if (isIdle) resume(session, chunks);
        session.at = event.timestamp;
        isIdle = false;
      }
      isIdle ||= event.timestamp - session.at > IDLE_MS;
      if (isIdle) return;
      maskEvent(event, masking);
      chunks.add(stringify(event), event.timestamp, event.type === FULL_SNAPSHOT);
    });
  writeSession(session);
  const stopRrweb = record({
    emit: (event) => onEvent(event as Recorded),
    maskAllInputs: true,
    maskTextSelector: masking.all ? '*' : MASKED,
    blockSelector: '[data-svc-private],[data-svc-block]',
    slimDOMOptions: 'all',
    recordCanvas: false,
    recordCrossOriginIframes: false,
    sampling: { mousemove: 50, scroll: 150, media: 800, input: 'last' },
    errorHandler: () => true,
  });
  const onHide = (): void => quietly(() => chunks.leave());
  addEventListener('pagehide', onHide);
  const stop = (): void => {
    removeEventListener('pagehide', onHide);
    stopRrweb?.();
    chunks.flush();
  };
  return { session, stop };
}

/** Of an earlier page, or a new one. What an earlier page has sent is not waited for here. */
function openSession(visitor: string): RecordingSession {
  const known = readSession(Date.now(), visitor);
  return known ? { ...known, isAnswered: known.seq > 0, misses: 0 } : newSession(newUuid(), visitor);
}

function isByVisitor({ type, data }: Recorded): boolean {
  return type === INCREMENTAL && BY_VISITOR.has((data as { source: number }).source);
}

/** What changed meanwhile was not recorded, so the page is taken as a whole; after the pause that ends a visit as a new recording. */
function resume(session: RecordingSession, chunks: Chunks): void {
  chunks.flush();
  if (readSession(Date.now(), session.visitor) === null) Object.assign(session, newSession(newUuid(), session.visitor));
  session.at = Date.now();
  writeSession(session);
  setTimeout(() => quietly(() => record.takeFullSnapshot(true)), 0);
}
