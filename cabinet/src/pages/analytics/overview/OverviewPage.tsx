/**
 * Overview of a site: figures, a chart of one of them, and the top rows of each list. A click on a row filters
 * everything.
 */
import { useQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { comparedDays, daysOf, faultOfDays, REPORT_MONTHS, todayIn } from '../../../data/period.ts';
import { siteFilterOf } from '../../../data/sites/siteFilter.ts';
import { siteQuery, type Site } from '../../../data/account/tenants.ts';
import { CardGrid } from '../../../ui/layout/CardGrid.tsx';
import { Notice } from '../../../ui/messages/Notice.tsx';
import { Page } from '../../../ui/layout/Page.tsx';
import { PeriodPicker } from '../../../ui/choices/PeriodPicker.tsx';
import { Problem } from '../../../ui/messages/Problem.tsx';
import { useWords } from '../../../words/preferences.tsx';
import { FigureCard } from './FigureCard.tsx';
import { FilterChips } from './FilterChips.tsx';
import { ListCard } from './ListCard.tsx';
import { LIST_NAMES } from './lists.ts';

export function OverviewPage() {
  const { overview, table } = useWords();
  const { site } = useParams({ from: '/shell/s/$site' });
  const search = useSearch({ from: '/shell/s/$site' });
  const { data, error, refetch } = useQuery(siteQuery(site));
  return (
    <Page title={overview.title} actions={data && <PeriodPicker period={search} today={todayIn(data.timezone)} />}>
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {!data && !error && <p role="status">{table.loading}</p>}
      {/* The key discards the state of the previous site. */}
      {data && <Cards key={site} site={data} />}
    </Page>
  );
}

function Cards({ site }: { site: Site }) {
  const { report } = useWords();
  const search = useSearch({ from: '/shell/s/$site' });
  const today = todayIn(site.timezone);
  const days = daysOf(search, today);
  const filter = siteFilterOf({ ...search });
  const fault = faultOfDays(days, today, REPORT_MONTHS);
  if (fault) return <Notice tone="warn" title={fault === 'future' ? report.future : report.tooLong(REPORT_MONTHS)} />;
  const asked = { site: site.id, days, before: comparedDays(days, search.compare), filter };
  return (
    <>
      <FilterChips filter={filter} />
      <FigureCard {...asked} currency={site.currency} figure={search.figure ?? 'visits'} />
      <CardGrid>
        {LIST_NAMES.map((list) => (
          <ListCard key={list} {...asked} list={list} chosen={search[list]} />
        ))}
      </CardGrid>
    </>
  );
}
