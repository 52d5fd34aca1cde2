/** Text recognition on pictures, in a pool of threads that starts with the first picture and ends on close. */
import { createThread, type Thread } from '../threads/thread.ts';
import type { OcrJob } from './ocrThread.ts';
import type { OcrBudget } from './ocrTime.ts';
import { linkTessdata, type Tessdata } from './tessdata.ts';

export interface OcrOptions {
  tessdataDirs: readonly string[];
  threads: number;
  timeoutMs: number;
}

export interface Ocr {
  /** False if `tessdataDirs` have no Russian data: only English is read then. */
  readsRussian(): Promise<boolean>;
  /**
   * Returns the text of one picture, or null if none is certain. Rejects as `Thread.call` does; the time limit counts
   * from the start of the picture's job, and includes the engine's start (about 1 s). It is at most what is left of the
   * budget. A picture that may be turned is read upright.
   */
  read(picture: OcrJob, signal: AbortSignal, budget: OcrBudget): Promise<string | null>;
  close(): Promise<void>;
}

/** The compiled engine's memory is outside this heap, which bounds only the host and its answers. */
const HEAP_MB = 256;

interface Pool {
  tessdata: Tessdata;
  threads: { thread: Thread<OcrJob, string | null>; waiting: number }[];
}

export function createOcr(options: OcrOptions): Ocr {
  let pool: Promise<Pool> | undefined;

  async function open(): Promise<Pool> {
    const tessdata = await linkTessdata(options.tessdataDirs);
    const data = { folder: tessdata.folder, languages: tessdata.languages };
    const entry = new URL('./ocrThread.ts', import.meta.url);
    const threads = Array.from({ length: options.threads }, () => ({
      thread: createThread<OcrJob, string | null>({ entry, data, heapMb: HEAP_MB }),
      waiting: 0,
    }));
    return { tessdata, threads };
  }

  /** A fault, such as a full disk, is not kept: the next picture tries again. */
  function openOnce(): Promise<Pool> {
    pool ??= open().catch((error: unknown) => {
      pool = undefined;
      throw error;
    });
    return pool;
  }

  return {
    async readsRussian() {
      return (await openOnce()).tessdata.languages.includes('rus');
    },
    async read(picture, signal, budget) {
      const { threads } = await openOnce();
      const leastBusy = threads.reduce((a, b) => (b.waiting < a.waiting ? b : a));
      leastBusy.waiting += 1;
      let startedAt = 0;
      const onStart = (): void => {
        startedAt = performance.now();
      };
      const onEnd = (): void => {
        budget.leftMs -= performance.now() - startedAt;
      };
      const timeoutMs = Math.min(options.timeoutMs, budget.leftMs);
      return leastBusy.thread.call(picture, { signal, timeoutMs, onStart, onEnd }).finally(() => {
        leastBusy.waiting -= 1;
      });
    },
    async close() {
      const opened = await pool?.catch(() => undefined);
      await Promise.all((opened?.threads ?? []).map(({ thread }) => thread.close()));
      await opened?.tessdata.remove();
    },
  };
}
