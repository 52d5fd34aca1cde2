import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { AttuneError } from '../../../data/client.ts';
import { faultOfDays, type Days } from '../../../data/period.ts';
import type { Change } from '../../../data/report/changes.ts';
import { createEarlierFinder, EARLIER_ROWS_LIMIT } from '../../../data/report/earlierRows.ts';
import type { ReportFields } from '../../../data/report/reportFields.ts';
import { pageRequestOf, reportOf, type ReportState } from '../../../data/report/reportAddress.ts';
import { reportQuery, type Report } from '../../../data/sites/reports.ts';
import { Card } from '../../../ui/layout/Card.tsx';
import { Empty } from '../../../ui/messages/Empty.tsx';
import { Hint } from '../../../ui/messages/Hint.tsx';
import { Notice } from '../../../ui/messages/Notice.tsx';
import { Problem } from '../../../ui/messages/Problem.tsx';
import { useWords } from '../../../words/preferences.tsx';
import { DayChart } from './DayChart.tsx';
import { Pages } from './Pages.tsx';
import { ReportTable, type LoadedReport } from './ReportTable.tsx';

export interface ResultProps {
  site: string;
  fields: ReportFields;
  state: ReportState;
  period: { today: string; days: Days; before: Days | null };
  onChange: (change: Change, isStep?: boolean) => void;
}

/** Shows the figures of the report; the previous ones stay until the next are loaded. */
export function ResultCard(props: ResultProps) {
  const { report: text } = useWords();
  const { period } = props;
  const { months } = props.fields.limits;
  const fault = faultOfDays(period.days, period.today, months);
  return (
    <Card title={text.result}>
      {fault === null ? (
        <Result {...props} />
      ) : (
        <Notice tone="warn" title={fault === 'future' ? text.future : text.tooLong(months)} />
      )}
    </Card>
  );
}

function Result({ site, fields, state, period, onChange }: ResultProps) {
  const { report: text, table } = useWords();
  const { days, before } = period;
  const now = useQuery(reportQuery(site, pageRequestOf(state, days)));
  const earlier = useQuery({
    ...reportQuery(site, { ...reportOf(state, before ?? days), limit: EARLIER_ROWS_LIMIT }),
    enabled: before !== null,
  });
  const error = now.error ?? (before && earlier.error);
  const loaded = useLoadedReport(state, days, now);
  const isCompared = before !== null && loaded !== null && earlier.data && !earlier.isPlaceholderData;
  const compared = isCompared
    ? {
        days: before,
        of: createEarlierFinder(loaded.state.by, earlier.data, { now: days, before }),
        report: earlier.data,
      }
    : null;
  return (
    <>
      {error && (
        <Fault site={site} error={error} onRetry={() => void Promise.all([now.refetch(), earlier.refetch()])} />
      )}
      {!loaded && !error && <p role="status">{table.loading}</p>}
      {loaded && loaded.report.rows === 0 && (
        <Empty title={text.empty}>
          <p>{text.emptyAbout}</p>
        </Empty>
      )}
      {loaded && loaded.report.rows > 0 && (
        <>
          <DayChart fields={fields} loaded={loaded} before={compared} />
          <ReportTable site={site} fields={fields} loaded={loaded} before={compared} onChange={onChange} />
          <Pages loaded={loaded} onChange={onChange} />
        </>
      )}
      {loaded && <ReportNotes report={loaded.report} />}
    </>
  );
}

/** Returns the loaded report with its own request: its columns differ from those of the report being loaded. */
function useLoadedReport(
  state: ReportState,
  days: Days,
  { data, isPlaceholderData }: { data: Report | undefined; isPlaceholderData: boolean },
): LoadedReport | null {
  const [last, setLast] = useState<LoadedReport | null>(null);
  const next = useMemo(
    () => (data && !isPlaceholderData ? { state, days, report: data } : null),
    // The days are a new object on each rendering.
    [data, isPlaceholderData, state, days.from, days.to],
  );
  if (next !== null && next !== last) setLast(next);
  return next ?? last;
}

/** Shows an error. A report that the server refuses can be corrected above; anything else is retried. */
function Fault({ site, error, onRetry }: { site: string; error: Error; onRetry: () => void }) {
  const { report: text } = useWords();
  if (!(error instanceof AttuneError) || error.status !== 422) return <Problem error={error} onRetry={onRetry} />;
  return (
    <Notice tone="bad" title={text.refused}>
      <p>{text.gone}</p>
      <ul>
        {error.details.map(({ field, code }) => (
          <li key={field}>
            <code>
              {field}: {code}
            </code>
          </li>
        ))}
      </ul>
      <Link to="/s/$site/report" params={{ site }}>
        {text.startAnew}
      </Link>
    </Notice>
  );
}

function ReportNotes({ report: { sampled, notes = [] } }: { report: Report }) {
  const { report: text } = useWords();
  return (
    <>
      {sampled && <Hint>{text.sampled}</Hint>}
      {notes.map(({ code }) => (
        <Hint key={code}>{text.notes[code]}</Hint>
      ))}
    </>
  );
}
