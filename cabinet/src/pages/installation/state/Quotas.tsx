import { Link } from '@tanstack/react-router';
import type { Installation } from '../../../data/installation/installation.ts';
import { Card } from '../../../ui/layout/Card.tsx';
import { DataTable, type Column } from '../../../ui/tables/DataTable.tsx';
import { Hint } from '../../../ui/messages/Hint.tsx';
import { useFormat } from '../../../words/format.ts';
import { useWords } from '../../../words/preferences.tsx';

type Quota = Installation['quotas'][number];

/** Lists quotas that are nearly used up; hidden if there are none. */
export function Quotas({ quotas: rows }: { quotas: readonly Quota[] }) {
  const { quotas } = useWords().installation;
  const format = useFormat();
  if (rows.length === 0) return null;
  const columns: Column<Quota>[] = [
    { key: 'who', title: quotas.columns.who, cell: (quota) => <TenantLink quota={quota} /> },
    { key: 'client', title: quotas.columns.client, cell: ({ client }) => client },
    { key: 'quota', title: quotas.columns.quota, cell: ({ quota }) => quotas.kinds[quota] },
    {
      key: 'used',
      title: quotas.columns.used,
      kind: 'number',
      cell: ({ used, limit }) =>
        quotas.of(format.number(used), format.number(limit), format.percent(used / Math.max(limit, 1))),
    },
  ];
  return (
    <Card title={quotas.title}>
      <Hint>{quotas.about}</Hint>
      <DataTable
        label={quotas.title}
        columns={columns}
        rows={rows}
        idOf={({ quota, project_id: project, site_id: site }) => `${quota}/${project}/${site}`}
      />
    </Card>
  );
}

function TenantLink({ quota: { title, project_id: project, site_id: site } }: { quota: Quota }) {
  if (project !== null)
    return (
      <Link to="/p/$project/settings" params={{ project }}>
        {title}
      </Link>
    );
  if (site === null) return title;
  return (
    <Link to="/s/$site" params={{ site }}>
      {title}
    </Link>
  );
}
