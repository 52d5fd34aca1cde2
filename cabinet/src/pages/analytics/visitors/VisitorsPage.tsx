/** Visitors of a site, the latest first, or the result of a search. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { todayIn } from '../../../data/period.ts';
import { siteQuery } from '../../../data/account/tenants.ts';
import type { VisitorFilter } from '../../../data/sites/visitorFilter.ts';
import { visitorsQuery } from '../../../data/sites/visitors.ts';
import { Button } from '../../../ui/buttons/Button.tsx';
import { Card } from '../../../ui/layout/Card.tsx';
import { Empty } from '../../../ui/messages/Empty.tsx';
import { Page } from '../../../ui/layout/Page.tsx';
import { PaginatedList } from '../../../ui/tables/PaginatedList.tsx';
import { PeriodPicker } from '../../../ui/choices/PeriodPicker.tsx';
import { Problem } from '../../../ui/messages/Problem.tsx';
import { useWords } from '../../../words/preferences.tsx';
import { VisitorFilters } from './VisitorFilters.tsx';
import { VisitorTable } from './VisitorTable.tsx';

const PAGE = { from: '/shell/s/$site/visitors' } as const;

export function VisitorsPage() {
  const { visitors: words, table } = useWords();
  const { site } = useParams(PAGE);
  const filter = useSearch(PAGE);
  const navigate = useNavigate();
  const { data, error, refetch } = useQuery(siteQuery(site));
  const show = (search: VisitorFilter): void =>
    void navigate({ to: '/s/$site/visitors', params: { site }, search, replace: true });
  const picker = data && filter.who === undefined && (
    <PeriodPicker period={filter} today={todayIn(data.timezone)} canCompare={false} />
  );
  return (
    <Page title={words.title} actions={picker}>
      <VisitorFilters site={site} filter={filter} onChange={show} />
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      <Card title={words.found}>
        {data ? (
          <VisitorResults site={site} timezone={data.timezone} filter={filter} onClear={() => show({})} />
        ) : (
          !error && <p role="status">{table.loading}</p>
        )}
      </Card>
    </Page>
  );
}

interface ResultsProps {
  site: string;
  timezone: string;
  filter: VisitorFilter;
  onClear: () => void;
}

function VisitorResults({ site, timezone, filter, onClear }: ResultsProps) {
  const { visitors: words } = useWords();
  const visitors = useInfiniteQuery(visitorsQuery(site, filter, timezone));
  // A response covers only some visits, and may have no match among them.
  const nobody = visitors.hasNextPage ? (
    <p>{words.goOn}</p>
  ) : (
    <NoVisitors isFiltered={isFiltered(filter)} onClear={onClear} />
  );
  return (
    <PaginatedList query={visitors} empty={nobody}>
      {(rows) => <VisitorTable site={site} visitors={rows} />}
    </PaginatedList>
  );
}

function NoVisitors({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  const { visitors: words, table } = useWords();
  if (!isFiltered)
    return (
      <Empty title={words.empty}>
        <p>{words.emptyHint}</p>
      </Empty>
    );
  return (
    <Empty title={words.nothingFound}>
      <Button onPress={onClear}>{table.clear}</Button>
    </Empty>
  );
}

function isFiltered({ who, goal, source, from_source: name, page }: VisitorFilter): boolean {
  return [who, goal, source, name, page].some((value) => value !== undefined);
}
