/**
 * The report builder of a site: the parts of the report above, its figures below. All of it is stored in the address.
 */
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { comparedDays, daysOf, todayIn } from '../../../data/period.ts';
import { reportFieldsQuery } from '../../../data/report/reportFields.ts';
import { savedReportsQuery } from '../../../data/report/savedReports.ts';
import { siteQuery } from '../../../data/account/tenants.ts';
import { Page } from '../../../ui/layout/Page.tsx';
import { PeriodPicker } from '../../../ui/choices/PeriodPicker.tsx';
import { Problem } from '../../../ui/messages/Problem.tsx';
import { useWords } from '../../../words/preferences.tsx';
import { BuilderCard } from './BuilderCard.tsx';
import { ReportActions } from './actions/ReportActions.tsx';
import { ResultCard } from './ResultCard.tsx';
import { useReportState } from './useReportState.ts';

export function ReportPage() {
  const { report, reports, table } = useWords();
  const { site } = useParams({ from: '/shell/s/$site/report' });
  const { search, state, change } = useReportState();
  const found = useQuery(siteQuery(site));
  const fields = useQuery(reportFieldsQuery(site));
  const saved = useQuery({ ...savedReportsQuery(site), enabled: state.saved !== undefined });
  const opened = saved.data?.find(({ id }) => id === state.saved);
  const today = found.data && todayIn(found.data.timezone);
  const days = today === undefined ? null : daysOf(search, today);
  const error = found.error ?? fields.error;
  return (
    <Page
      title={opened?.title ?? report.title}
      above={
        <Link to="/s/$site/reports" params={{ site }}>
          {reports.title}
        </Link>
      }
      actions={today !== undefined && <PeriodPicker period={search} today={today} />}
    >
      {error && <Problem error={error} onRetry={() => void Promise.all([found.refetch(), fields.refetch()])} />}
      {(!fields.data || !days) && !error && <p role="status">{table.loading}</p>}
      {fields.data && today !== undefined && days && (
        <>
          <BuilderCard site={site} fields={fields.data} state={state} onChange={change} />
          <ReportActions site={site} state={state} period={search} days={days} saved={opened} />
          <ResultCard
            site={site}
            fields={fields.data}
            state={state}
            period={{ today, days, before: comparedDays(days, search.compare) }}
            onChange={change}
          />
        </>
      )}
    </Page>
  );
}
