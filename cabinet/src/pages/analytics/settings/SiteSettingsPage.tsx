/** Settings of a site, beginning with the state of its tag. */
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { Fragment } from 'react';
import { meQuery } from '../../../data/account/account.ts';
import { siteQuery } from '../../../data/account/tenants.ts';
import { CardGrid } from '../../../ui/layout/CardGrid.tsx';
import { Page } from '../../../ui/layout/Page.tsx';
import { Problem } from '../../../ui/messages/Problem.tsx';
import { useWords } from '../../../words/preferences.tsx';
import { Collecting } from './Collecting.tsx';
import { General } from './General.tsx';
import { Identity } from './Identity.tsx';
import { Keys } from './Keys.tsx';
import { Quotas } from './Quotas.tsx';
import { SiteState } from './SiteState.tsx';
import { TagDoctor } from './TagDoctor.tsx';
import { QuotaUse } from './QuotaUse.tsx';

export function SiteSettingsPage() {
  const words = useWords();
  const { site: id } = useParams({ from: '/shell/s/$site/settings' });
  const { data: site, error, refetch } = useQuery(siteQuery(id));
  const { data: me } = useQuery(meQuery);
  const role = me?.role ?? 'viewer';
  return (
    <Page title={words.siteSettings.title}>
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {!site && !error && <p role="status">{words.table.loading}</p>}
      {site && (
        <Fragment key={site.id}>
          <TagDoctor site={site} role={role} />
          <Keys site={id} isViewer={role === 'viewer'} />
          <CardGrid>
            <General site={site} role={role} />
            <Collecting site={site} role={role} />
          </CardGrid>
          <QuotaUse site={id} />
          <Quotas site={site} role={role} />
          <CardGrid>
            <Identity site={site} role={role} />
            <SiteState site={site} role={role} />
          </CardGrid>
        </Fragment>
      )}
    </Page>
  );
}
