/** Batches the reports that a page requests simultaneously, and delivers each as soon as it arrives. */
import { AttuneError, type cabinet } from '../client.ts';
import { limits } from '../apiLimits.ts';

type ReportRequest = cabinet.ReportRequest;
type Report = cabinet.ReportResponse;
type Line = cabinet.ReportBatchLine;

/** Sends one batch. */
export type SendBatch = (site: string, reports: ReportRequest[], signal: AbortSignal) => AsyncIterable<Line>;

interface QueuedRequest {
  request: ReportRequest;
  signal: AbortSignal;
  resolve: (report: Report) => void;
  reject: (error: unknown) => void;
}

/** Maximum batch size of the server. */
const MAX_REPORTS = limits.postReportBatch_reports;

interface Queue {
  waiting: QueuedRequest[];
  isSending: boolean;
}

/**
 * One batch runs for each site at a time, and requests made meanwhile form the next one, so that a page takes one of
 * its user's two slots.
 * @returns a function that requests one report of a site
 */
export function createReportQueue(send: SendBatch) {
  const queues = new Map<string, Queue>();
  return (site: string, request: ReportRequest, signal: AbortSignal): Promise<Report> =>
    new Promise((resolve, reject) => {
      const queue = queues.get(site) ?? { waiting: [], isSending: false };
      queues.set(site, queue);
      queue.waiting.push({ request, signal, resolve, reject });
      // By then all requests of one rendering have been made.
      setTimeout(() => void drainQueue(queue, (asked) => sendAll(send, site, asked)));
    });
}

async function drainQueue(
  queue: Queue,
  sendWaiting: (asked: readonly QueuedRequest[]) => Promise<void>,
): Promise<void> {
  if (queue.isSending) return;
  queue.isSending = true;
  while (queue.waiting.length > 0) {
    const wanted = queue.waiting.filter(({ signal }) => !signal.aborted);
    queue.waiting = wanted.slice(MAX_REPORTS);
    if (wanted.length > 0) await sendWaiting(wanted.slice(0, MAX_REPORTS));
  }
  queue.isSending = false;
}

async function sendAll(send: SendBatch, site: string, asked: readonly QueuedRequest[]): Promise<void> {
  const all = asked.map(({ request }) => request);
  try {
    for await (const { index, report, error } of send(site, all, signalOf(asked))) {
      if (report) asked[index]?.resolve(report);
      else asked[index]?.reject(errorOf(error));
    }
    throw new TypeError('the answer ended before all its reports were there');
  } catch (error) {
    // This has no effect on requests that already have their report.
    for (const { reject } of asked) reject(error);
  }
}

/** Returns a signal that aborts once nobody needs any of the reports. */
function signalOf(asked: readonly QueuedRequest[]): AbortSignal {
  const controller = new AbortController();
  const onAbort = (): void => {
    if (asked.every(({ signal }) => signal.aborted)) controller.abort();
  };
  for (const { signal } of asked) signal.addEventListener('abort', onAbort, { once: true });
  return controller.signal;
}

/** Returns the error that a single request would have caused. */
function errorOf(error: Line['error']): Error {
  if (error === null) return new TypeError('a line without a report');
  const { status, retry_after: seconds, code, message, details } = error;
  const headers: Record<string, string> = seconds === null ? {} : { 'Retry-After': String(seconds) };
  return new AttuneError(new Response(null, { status, headers }), {
    error: { code, message, ...(details && { details }) },
  });
}
