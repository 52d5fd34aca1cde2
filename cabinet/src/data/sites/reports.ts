/** Reports of a site. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, type cabinet } from '../client.ts';
import { pageLanguage } from '../../words/language.ts';
import { readLines } from '../jsonLines.ts';
import { createReportQueue } from './reportQueue.ts';

export type ReportRequest = cabinet.ReportRequest;
export type Report = cabinet.ReportResponse;
export type ReportLabel = Report['data'][number]['dimensions'][number];

/** The same report is not computed twice within a minute. */
const FRESH_MS = 60_000;

const askReport = createReportQueue(async function* send(site, reports, signal) {
  const { data } = await api.postReportBatch({ signal, path: { id: site }, body: { reports }, parseAs: 'stream' });
  // The client knows the type of a line, but not that of the stream.
  const stream = data as unknown as ReadableStream<Uint8Array<ArrayBuffer>>;
  for await (const line of readLines(stream)) yield line as cabinet.ReportBatchLine;
});

export const reportQuery = (site: string, request: ReportRequest) =>
  queryOptions({
    queryKey: ['reports', site, pageLanguage(), request],
    queryFn: ({ signal }) => askReport(site, request, signal),
    staleTime: FRESH_MS,
    placeholderData: keepPreviousData,
  });

/** Returns a label as filters name it; null for an unknown one, which no filter matches. */
export function codeOf(label: ReportLabel): string | null {
  return typeof label === 'object' && label !== null ? label.id : label;
}
