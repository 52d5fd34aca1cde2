/** For operators: health, waiting and failed work, and quotas that are nearly used up. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { meQuery } from '../../../data/account/account.ts';
import { installationQuery, type Installation } from '../../../data/installation/installation.ts';
import { Empty } from '../../../ui/messages/Empty.tsx';
import { Page } from '../../../ui/layout/Page.tsx';
import { Problem } from '../../../ui/messages/Problem.tsx';
import { useWords } from '../../../words/preferences.tsx';
import { Health } from './Health.tsx';
import { Providers } from './Providers.tsx';
import { Quotas } from './Quotas.tsx';
import { WorkCard } from './WorkCard.tsx';

export function InstallationPage() {
  const { account } = useWords();
  const { data: me } = useQuery(meQuery);
  if (!me) return null;
  if (me.role === 'admin') return <State />;
  return (
    <Page title={account.installation}>
      <Empty title={account.noInstallation} />
    </Page>
  );
}

function State() {
  const { account, table } = useWords();
  const { data, error, refetch } = useQuery(installationQuery);
  return (
    <Page title={account.installation} about={data && <About installation={data} />}>
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {!data && !error && <p role="status">{table.loading}</p>}
      {data && (
        <>
          <Health parts={data.parts} disks={data.disks} />
          <WorkCard works={data.work} />
          <Providers />
          <Quotas quotas={data.quotas} />
        </>
      )}
    </Page>
  );
}

function About({ installation }: { installation: Installation }) {
  const { account, installation: words } = useWords();
  const { version, node_version: node, temporal_url: temporal } = installation;
  return (
    <>
      <span>{words.version(version, node)}</span>
      {temporal !== null && (
        <a href={temporal} target="_blank" rel="noreferrer">
          {words.temporal}
        </a>
      )}
      <Link to="/installation/audit">{account.changes}</Link>
    </>
  );
}
