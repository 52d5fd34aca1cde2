/** One segment of a site: its conditions, and the number of matches. `new` creates one. */
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useLastFound, useNewest } from '../../../data/account/newest.ts';
import { todayIn } from '../../../data/period.ts';
import { draftOf, EMPTY } from '../../../data/report/conditions.ts';
import { reportFieldsQuery } from '../../../data/report/reportFields.ts';
import { segmentsQuery } from '../../../data/report/savedReports.ts';
import { siteQuery } from '../../../data/account/tenants.ts';
import { Empty } from '../../../ui/messages/Empty.tsx';
import { BackLink } from '../../../ui/buttons/BackLink.tsx';
import { Page } from '../../../ui/layout/Page.tsx';
import { Problem } from '../../../ui/messages/Problem.tsx';
import { useWords } from '../../../words/preferences.tsx';
import { SegmentEditor } from './SegmentEditor.tsx';

const NEW = 'new';

export function SegmentPage() {
  const { segments: text, table } = useWords();
  const { site, segment: id } = useParams({ from: '/shell/s/$site/segments/$segment' });
  const ofSite = useQuery(siteQuery(site));
  const fields = useQuery(reportFieldsQuery(site));
  const segments = useNewest(segmentsQuery(site));
  const error = ofSite.error ?? fields.error ?? segments.error;
  const found = segments.data?.find((one) => one.id === id);
  const segment = useLastFound(found, (last) => last.id === id);
  const isReady = ofSite.data && fields.data && segments.data;
  const isThere = id === NEW || segment !== undefined;
  const retry = () => void Promise.all([ofSite.refetch(), fields.refetch(), segments.refetch()]);
  return (
    <Page
      title={segment?.title ?? text.make}
      above={
        <BackLink to="/s/$site/segments" params={{ site }}>
          {text.back}
        </BackLink>
      }
    >
      {error && <Problem error={error} onRetry={retry} />}
      {!isReady && !error && <p role="status">{table.loading}</p>}
      {isReady && !isThere && <Empty title={text.notHere} />}
      {isReady && isThere && (
        <SegmentEditor
          key={id}
          site={site}
          fields={fields.data}
          today={todayIn(ofSite.data.timezone)}
          id={segment ? id : null}
          title={segment?.title ?? ''}
          draft={segment ? draftOf(segment.conditions) : EMPTY}
        />
      )}
    </Page>
  );
}
