/** Runs reports one after the other and streams each as soon as it is finished. */
import { Readable } from 'node:stream';
import type { Report } from '../../reports/reportRequest.ts';
import { ClientDisconnectedError } from '../http/requestBody.ts';
import type { HttpError } from '../http/errors.ts';
import { isLarge, type ReportSlot } from './runForClient.ts';

/** The result of one request; `index` is its index among them. */
export type Outcome = { index: number; report: Report } | { index: number; fault: HttpError };

export interface StreamedReports {
  slot: ReportSlot;
  /** Each runs one report in the slot. */
  runs: readonly (() => Promise<Report>)[];
  toHttpError(error: unknown): HttpError;
  /** Formats a line of the response. */
  write(outcome: Outcome): string;
  /** Time after which a reader who reads nothing is disconnected. */
  silenceMs?: number;
}

/** The same as for any other response. */
export const STREAM_SILENCE_MS = 60_000;

/**
 * Returns a stream of what `write` returns. A report starts only after the previous one was read, so that at most two
 * are in memory; the slot is released when the stream ends, however it ends.
 */
export function streamReports({ silenceMs = STREAM_SILENCE_MS, ...asked }: StreamedReports): Readable {
  const stream = Readable.from(told(), { objectMode: true, highWaterMark: 1 });
  stream.once('close', () => void asked.slot.release());
  return stream;

  async function* told(): AsyncGenerator<string> {
    for await (const line of linesOf(asked)) {
      const silence = setTimeout(() => stream.destroy(), silenceMs);
      try {
        yield line;
      } finally {
        clearTimeout(silence);
      }
    }
  }
}

async function* linesOf({ slot, runs, toHttpError, write }: Omit<StreamedReports, 'silenceMs'>) {
  for (const [index, run] of runs.entries()) {
    if (index > 0) await slot.renew();
    const outcome = await run().then(
      (report): Outcome => ({ index, report }),
      (error: unknown): Outcome | null =>
        error instanceof ClientDisconnectedError ? null : { index, fault: toHttpError(error) },
    );
    if (outcome === null) return;
    const isKept = 'report' in outcome && isLarge(outcome.report);
    // Before the last line, so that its reader finds the slot free.
    if (index === runs.length - 1 && !isKept) await slot.release();
    yield write(outcome);
  }
}
