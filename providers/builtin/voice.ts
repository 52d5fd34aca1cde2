/** Finds where somebody speaks in a recording, so that no recogniser processes music and silence. */
import { VoiceDetectorError } from '../errors.ts';
import type { CallContext, VoiceDetector } from '../types.ts';
import { withHeartbeat } from './threads/heartbeat.ts';
import { createThread, ThreadDiedError, ThreadJobError, ThreadTimeoutError } from './threads/thread.ts';
import { PIECE_SEC, type VoiceState } from './voice/voiceNetwork.ts';
import { spansOf } from './voice/voiceSpans.ts';
import type { VoiceReply, VoiceRequest, VoiceThreadData } from './voice/voiceThread.ts';

/** Heap for five minutes of sound as numbers, and intermediate results. */
const HEAP_MB = 256;
/** Five minutes of sound take about a second. */
const TIMEOUT_MS = 60_000;

/**
 * Creates a detector with a separate thread, which starts with the first recording.
 * @param folder of the detector's file, see voice/voiceDetectorFile.ts
 */
export function createVoiceDetector(folder: string): VoiceDetector & { close(): Promise<void> } {
  const data: VoiceThreadData = { folder };
  const entry = new URL('./voice/voiceThread.ts', import.meta.url);
  const thread = createThread<VoiceRequest, VoiceReply>({ entry, data, heapMb: HEAP_MB });
  return {
    async findVoices(parts, context: CallContext) {
      const chances: Float32Array[] = [];
      let state: VoiceState | null = null;
      for await (const pcmPath of parts) {
        const request: VoiceRequest = { pcmPath, state };
        const call = () => thread.call(request, { signal: context.signal, timeoutMs: TIMEOUT_MS });
        const reply: VoiceReply = await withHeartbeat(context.progress, call).catch(throwFault);
        chances.push(reply.chances);
        state = reply.state;
      }
      return spansOf(joined(chances), PIECE_SEC);
    },
    close: () => thread.close(),
  };
}

function throwFault(error: unknown): never {
  const isOfThread = [ThreadDiedError, ThreadJobError, ThreadTimeoutError].some((kind) => error instanceof kind);
  throw isOfThread ? new VoiceDetectorError((error as Error).message) : error;
}

function joined(parts: readonly Float32Array[]): Float32Array {
  const whole = new Float32Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
