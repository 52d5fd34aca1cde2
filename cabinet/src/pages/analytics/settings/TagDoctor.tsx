import { useQuery } from '@tanstack/react-query';
import type { Role } from '../../../data/account/rights.ts';
import { siteStatusQuery, siteTagQuery, type SiteStatus } from '../../../data/sites/siteSettings.ts';
import type { Site } from '../../../data/account/tenants.ts';
import { Card } from '../../../ui/layout/Card.tsx';
import { CopyCommand } from '../../../ui/dialogs/CopyCommand.tsx';
import { Hint } from '../../../ui/messages/Hint.tsx';
import { Notice } from '../../../ui/messages/Notice.tsx';
import { Problem } from '../../../ui/messages/Problem.tsx';
import { useFormat } from '../../../words/format.ts';
import { useWords } from '../../../words/preferences.tsx';
import { RefusedHosts } from './RefusedHosts.tsx';
import { WrongKeys } from './WrongKeys.tsx';

/** Shows whether the tag works, its problems, and the snippet for the pages. */
export function TagDoctor({ site, role }: { site: Site; role: Role }) {
  const { table, siteSettings } = useWords();
  const { tag } = siteSettings;
  const status = useQuery(siteStatusQuery(site.id));
  const lines = useQuery(siteTagQuery(site.id));
  const error = status.error ?? lines.error;
  return (
    <Card title={tag.title}>
      {error && <Problem error={error} onRetry={() => void Promise.all([status.refetch(), lines.refetch()])} />}
      {!status.data && !error && <p role="status">{table.loading}</p>}
      {status.data && (
        <>
          <Verdict status={status.data} />
          <RefusedHosts site={site} hosts={status.data.refused_hosts} isViewer={role === 'viewer'} />
          <WrongKeys keys={status.data.wrong_keys} />
        </>
      )}
      <p>{tag.about}</p>
      {lines.data?.snippet && <CopyCommand text={lines.data.snippet} />}
      {lines.data?.external_snippet && (
        <>
          <Hint>{tag.strict}</Hint>
          <CopyCommand text={lines.data.external_snippet} />
        </>
      )}
      {lines.data?.key === null && <Notice tone="bad" title={tag.noKey} />}
    </Card>
  );
}

function Verdict({ status: { last_hit_at: at, last_hit_on: on, hosts } }: { status: SiteStatus }) {
  const { tag } = useWords().siteSettings;
  const format = useFormat();
  if (at !== null)
    return (
      <Notice tone="good" title={tag.works(format.moment(at))}>
        {hosts.length > 0 && <p>{tag.from(hosts.map(({ host }) => host || tag.noHost).join(', '))}</p>}
      </Notice>
    );
  return <Notice tone="warn" title={on === null ? tag.never : tag.silent(format.day(on))} />;
}
