import { useQuery } from '@tanstack/react-query';
import { exhaustiveList } from '../../../data/exhaustiveList.ts';
import { siteStatusQuery, type SiteStatus } from '../../../data/sites/siteSettings.ts';
import { Card } from '../../../ui/layout/Card.tsx';
import { DataTable, type Column } from '../../../ui/tables/DataTable.tsx';
import { Hint } from '../../../ui/messages/Hint.tsx';
import { Problem } from '../../../ui/messages/Problem.tsx';
import { useFormat } from '../../../words/format.ts';
import { useWords } from '../../../words/preferences.tsx';

type Used = SiteStatus['today']['hits'] & { name: keyof SiteStatus['today'] };

const NAMES = exhaustiveList<keyof SiteStatus['today']>({ hits: true, recordings: true, recording_mb: true });

/** Shows how much of its daily quotas a site has used. */
export function QuotaUse({ site }: { site: string }) {
  const { table, siteSettings } = useWords();
  const { today } = siteSettings;
  const format = useFormat();
  const { data, error, refetch } = useQuery(siteStatusQuery(site));
  const columns: Column<Used>[] = [
    { key: 'name', title: today.what, cell: ({ name }) => today.names[name] },
    { key: 'used', title: today.used, kind: 'number', cell: ({ used }) => format.number(Math.round(used)) },
    { key: 'quota', title: today.quota, kind: 'number', cell: ({ quota }) => format.number(quota) },
    {
      key: 'share',
      title: today.share,
      kind: 'number',
      cell: ({ used, quota }) => (quota === 0 ? '–' : format.percent(used / quota)),
    },
  ];
  return (
    <Card title={today.title}>
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {!data && !error && <p role="status">{table.loading}</p>}
      {data && (
        <DataTable
          label={today.title}
          columns={columns}
          rows={NAMES.map((name) => ({ name, ...data.today[name] }))}
          idOf={({ name }) => name}
        />
      )}
      <Hint>{today.about}</Hint>
    </Card>
  );
}
