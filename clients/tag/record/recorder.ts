/**
 * Records what the visitor sees and does, with rrweb. Inputs and text that looks personal are masked; private parts are
 * blank.
 */
import { record } from '@rrweb/record';
import type { RecordingOptions, RunningRecording } from '../recording.ts';
import { newSession, readSession, writeSession, type RecordingSession } from '../recordingSession.ts';
import { stringify } from '../data/json.ts';
import { quietly } from '../page/page.ts';
import { newUuid } from '../visitorCookie.ts';
import { createChunks, type Chunks } from './chunks.ts';
import { watchMarks } from './marks.ts';
import { BLOCKED, MASKED, maskEvent } from './mask.ts';

/** After this long without input, recording pauses, so that an idle page costs nothing. */
const IDLE_MS = 300_000;

/** rrweb's numbers for event types and event sources. */
const [FULL_SNAPSHOT, INCREMENTAL] = [2, 3];
/** Mouse movement, mouse interaction, scroll, resize, input, touch movement, media, selection. */
const VISITOR_SOURCES = new Set([1, 2, 3, 4, 5, 6, 7, 14]);

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
      marks.checkAddress();
      chunks.add(stringify(event), event.timestamp, event.type === FULL_SNAPSHOT);
    });
  const marks = watchMarks((tag, payload) => record.addCustomEvent(tag, payload), masking.all);
  writeSession(session);
  const stopRrweb = record({
    emit: (event) => onEvent(event as Recorded),
    maskAllInputs: true,
    maskTextSelector: masking.all ? '*' : MASKED,
    blockSelector: BLOCKED,
    slimDOMOptions: 'all',
    recordCanvas: false,
    recordCrossOriginIframes: false,
    sampling: { mousemove: 50, scroll: 150, media: 800, input: 'last' },
    errorHandler: () => true,
  });
  const close = (): void => {
    session.isOpen = false;
    writeSession(session);
  };
  const onHide = (): void =>
    quietly(() => {
      chunks.leave();
      close();
    });
  // Other pages of the tab have continued the recording while this one was in the back-forward cache.
  const onShow = ({ persisted }: PageTransitionEvent): void =>
    quietly(() => {
      if (persisted) continueSession(session, openSession(options.visitorId()));
    });
  addEventListener('pagehide', onHide);
  addEventListener('pageshow', onShow);
  const stop = (): void => {
    removeEventListener('pagehide', onHide);
    removeEventListener('pageshow', onShow);
    marks.stop();
    stopRrweb?.();
    chunks.flush();
    close();
  };
  return { session, stop };
}

/**
 * Continues the session of an earlier page, or opens a new one. It does not wait for the chunks that an earlier page
 * has sent.
 */
function openSession(visitor: string): RecordingSession {
  const known = readSession(Date.now(), visitor);
  return known && !known.isOpen
    ? { ...known, isOpen: true, isAnswered: known.seq > 0, misses: 0 }
    : newSession(newUuid(), visitor);
}

function isByVisitor({ type, data }: Recorded): boolean {
  return type === INCREMENTAL && VISITOR_SOURCES.has((data as { source: number }).source);
}

/**
 * Changes during the pause were not recorded, so a full snapshot is taken; after a pause long enough to end a visit, a
 * new recording begins.
 */
function resume(session: RecordingSession, chunks: Chunks): void {
  chunks.flush();
  const isLive = readSession(Date.now(), session.visitor) !== null;
  continueSession(session, isLive ? session : newSession(newUuid(), session.visitor));
}

/** Continues with the state of a session, beginning with a full snapshot. */
function continueSession(session: RecordingSession, state: RecordingSession): void {
  Object.assign(session, state, { at: Date.now() });
  writeSession(session);
  setTimeout(() => quietly(() => record.takeFullSnapshot(true)), 0);
}
