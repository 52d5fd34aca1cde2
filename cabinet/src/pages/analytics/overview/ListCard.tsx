import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Days } from '../../../data/period.ts';
import { reportQuery } from '../../../data/sites/reports.ts';
import type { SiteFilter } from '../../../data/sites/siteFilter.ts';
import { Card } from '../../../ui/layout/Card.tsx';
import { Hint } from '../../../ui/messages/Hint.tsx';
import { Problem } from '../../../ui/messages/Problem.tsx';
import { useWords } from '../../../words/preferences.tsx';
import { ListBars } from './ListBars.tsx';
import { listReport, listReportBefore, LISTS, metricOf, type ListDimension, type ListName } from './lists.ts';
import { ReportNotes } from './ReportNotes.tsx';
import styles from './OverviewPage.module.css';

interface ListQuery {
  site: string;
  days: Days;
  before: Days | null;
  filter: SiteFilter;
}

/** Shows the top values of one of several dimensions. */
export function ListCard({
  list,
  chosen,
  ...asked
}: ListQuery & { list: ListName; chosen: ListDimension | undefined }) {
  const { overview } = useWords();
  const options: readonly ListDimension[] = LISTS[list];
  const [first] = LISTS[list];
  const listed = chosen ?? first;
  return (
    <Card
      title={overview.lists[list]}
      aside={
        options.length > 1 && (
          <div className={styles.options}>
            {options.map((option) => (
              <Link
                key={option}
                to="."
                search={(search) => ({ ...search, [list]: option })}
                replace
                resetScroll={false}
                className={styles.option}
                data-chosen={option === listed || undefined}
                aria-current={option === listed}
              >
                {overview.options[option]}
              </Link>
            ))}
          </div>
        )
      }
    >
      {/* The key discards the state of the previous dimension. */}
      <List key={listed} listed={listed} {...asked} />
    </Card>
  );
}

function List({ listed, site, days, before, filter }: ListQuery & { listed: ListDimension }) {
  const { overview, table } = useWords();
  const { data, error, refetch, isPlaceholderData } = useQuery(reportQuery(site, listReport(listed, days, filter)));
  const rows = data?.data ?? [];
  const labels = rows.map(({ dimensions }) => dimensions);
  const earlier = useQuery({
    ...reportQuery(site, listReportBefore(listed, before ?? days, filter, labels)),
    enabled: before !== null && rows.length > 0 && !isPlaceholderData,
    placeholderData: () => undefined,
  });
  return (
    <div className={styles.list} aria-busy={isPlaceholderData}>
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {!data && !error && <p role="status">{table.loading}</p>}
      {data && rows.length === 0 && <Hint>{listed === 'goal' ? overview.noConversions : overview.nothingListed}</Hint>}
      {data && rows.length === 0 && listed === 'goal' && (
        <Link to="/s/$site/goals" params={{ site }}>
          {overview.toGoals}
        </Link>
      )}
      {rows.length > 0 && (
        <ListBars listed={listed} rows={rows} before={before === null ? null : (earlier.data?.data ?? null)} />
      )}
      {data && rows.length > 0 && <Hint>{overview.counted[metricOf(listed)]}</Hint>}
      {data && <ReportNotes report={data} />}
    </div>
  );
}
