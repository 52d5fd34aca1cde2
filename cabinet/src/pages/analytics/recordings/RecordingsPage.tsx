/** The recordings of a site's sessions, the newest first. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { favouritesQuery, recordingsQuery } from '../../../data/sites/recordings.ts';
import type { RecordingFilter } from '../../../data/sites/recordingFilter.ts';
import { siteQuery } from '../../../data/account/tenants.ts';
import { Button } from '../../../ui/buttons/Button.tsx';
import { Card } from '../../../ui/layout/Card.tsx';
import { Empty } from '../../../ui/messages/Empty.tsx';
import { Page } from '../../../ui/layout/Page.tsx';
import { PaginatedList } from '../../../ui/tables/PaginatedList.tsx';
import { useWords } from '../../../words/preferences.tsx';
import { RecordingFilters } from './RecordingFilters.tsx';
import { RecordingTable } from './RecordingTable.tsx';

const PAGE = { from: '/shell/s/$site/recordings' } as const;

export function RecordingsPage() {
  const { recordings: words } = useWords();
  const { site } = useParams(PAGE);
  const filter = useSearch(PAGE);
  const navigate = useNavigate();
  const recordings = useInfiniteQuery(recordingsQuery(site, filter));
  const { data: favourites } = useQuery(favouritesQuery(site));
  const show = (search: RecordingFilter): void =>
    void navigate({ to: '/s/$site/recordings', params: { site }, search, replace: true });
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  return (
    <Page title={words.title} about={favourites && words.favourites(favourites.marked, favourites.quota)}>
      <RecordingFilters site={site} filter={filter} onChange={show} />
      <Card title={words.found}>
        <PaginatedList
          query={recordings}
          empty={isFiltered ? <NoMatchingRecordings onClear={() => show({})} /> : <NoRecordings site={site} />}
        >
          {(rows) => <RecordingTable site={site} recordings={rows} />}
        </PaginatedList>
      </Card>
    </Page>
  );
}

function NoMatchingRecordings({ onClear }: { onClear: () => void }) {
  const { recordings: words, table } = useWords();
  return (
    <Empty title={words.nothingFound}>
      <Button onPress={onClear}>{table.clear}</Button>
    </Empty>
  );
}

function NoRecordings({ site }: { site: string }) {
  const { recordings: words } = useWords();
  const { data } = useQuery(siteQuery(site));
  if (data?.recordings !== false) return <Empty title={words.empty}>{data && <p>{words.emptyHint}</p>}</Empty>;
  return (
    <Empty title={words.off}>
      <p>{words.offHint}</p>
      <Link to="/s/$site/settings" params={{ site }}>
        {words.turnOn}
      </Link>
    </Empty>
  );
}
