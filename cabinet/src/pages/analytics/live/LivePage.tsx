/** Current visitors of a site: minute by minute, by page and by source. */
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { realtimeQuery } from '../../../data/sites/realtime.ts';
import { Page } from '../../../ui/layout/Page.tsx';
import { Problem } from '../../../ui/messages/Problem.tsx';
import { useWords } from '../../../words/preferences.tsx';
import { LiveLists } from './LiveLists.tsx';
import { LiveMinutes } from './LiveMinutes.tsx';

export function LivePage() {
  const { live, table } = useWords();
  const { site } = useParams({ from: '/shell/s/$site/live' });
  const { data, error, refetch } = useQuery(realtimeQuery(site));
  return (
    <Page title={live.title}>
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {!data && !error && <p role="status">{table.loading}</p>}
      {data && (
        <>
          <LiveMinutes realtime={data} />
          <LiveLists realtime={data} />
        </>
      )}
    </Page>
  );
}
