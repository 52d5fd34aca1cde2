/** Reports that are requested one by one and sent together. */
import { describe, expect, it } from '@jest/globals';
import { AttuneError, type cabinet } from '../../../cabinet/src/data/client.ts';
import { createReportQueue, type SendBatch } from '../../../cabinet/src/data/sites/reportQueue.ts';

const requestOf = (offset: number): cabinet.ReportRequest => ({
  metrics: ['visits'],
  date_from: '2026-06-01',
  date_to: '2026-06-30',
  offset,
});
const reportOf = (total: number) => ({ data: [], totals: [total], sampled: false, timezone: 'UTC', rows: 0 });
const WANTED = new AbortController().signal;

/** Answers each report with its offset, and records the requests. */
function createServer() {
  const asked: number[][] = [];
  const send: SendBatch = async function* answer(_site, reports) {
    asked.push(reports.map(({ offset = 0 }) => offset));
    for (const [index, { offset = 0 }] of reports.entries()) yield { index, report: reportOf(offset), error: null };
  };
  return { asked, send };
}

describe('the queue of reports', () => {
  it('sends simultaneous requests together, twelve at most', async () => {
    const { asked, send } = createServer();
    const ask = createReportQueue(send);
    const reports = await Promise.all(Array.from({ length: 14 }, (_, n) => ask('site', requestOf(n), WANTED)));
    expect(reports.map(({ totals }) => totals[0])).toEqual(Array.from({ length: 14 }, (_, n) => n));
    expect(asked.map(({ length }) => length)).toEqual([12, 2]);
  });

  it('sends requests made in the meantime when the batch has ended, and those of other sites at once', async () => {
    const begun: string[] = [];
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const ask = createReportQueue(async function* answer(site, reports) {
      begun.push(`${site} ${reports.length}`);
      yield { index: 0, report: reportOf(0), error: null };
      if (site === 'slow') await ended;
    });
    await ask('slow', requestOf(0), WANTED);
    const later = [ask('slow', requestOf(1), WANTED)];
    await ask('other', requestOf(0), WANTED);
    expect(begun).toEqual(['slow 1', 'other 1']);
    end();
    await Promise.all(later);
    expect(begun).toEqual(['slow 1', 'other 1', 'slow 1']);
  });

  it('leaves out requests that are no longer needed, and aborts a batch if nothing in it is needed', async () => {
    const { promise: left, resolve: leave } = Promise.withResolvers<void>();
    const ask = createReportQueue(async function* answer(_site, reports, signal) {
      signal.addEventListener('abort', () => leave());
      yield { index: 0, report: reportOf(reports.length), error: null };
      await left;
      signal.throwIfAborted();
    });
    const [gone, one, other] = [new AbortController(), new AbortController(), new AbortController()];
    gone.abort();
    void ask('site', requestOf(0), gone.signal);
    const first = ask('site', requestOf(1), one.signal);
    const second = ask('site', requestOf(2), other.signal);
    expect((await first).totals).toEqual([2]);
    one.abort();
    other.abort();
    await expect(second).rejects.toThrow('abort');
  });

  it('gives each request its own error, and reports a broken answer to those without a result yet', async () => {
    const ask = createReportQueue(async function* answer() {
      const error = { status: 503, code: 'unavailable', message: 'later', details: null, retry_after: 30 };
      yield { index: 1, report: null, error };
      yield { index: 0, report: reportOf(7), error: null };
    });
    const [fine, faulty, unanswered] = [0, 1, 2].map((n) => ask('site', requestOf(n), WANTED));
    const fault = await faulty?.catch((error: unknown) => error);
    expect(fault).toBeInstanceOf(AttuneError);
    expect(fault).toMatchObject({ status: 503, code: 'unavailable', retryAfter: 30 });
    await expect(unanswered).rejects.toThrow(TypeError);
    expect((await fine)?.totals).toEqual([7]);
  });
});
