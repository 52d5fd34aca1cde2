import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { AuditFilter } from '../../../data/installation/auditFilter.ts';
import type { AuditEntry } from '../../../data/installation/installation.ts';
import { projectsQuery, sitesQuery } from '../../../data/account/tenants.ts';
import { Badge, type Tone } from '../../../ui/messages/Badge.tsx';
import { Card } from '../../../ui/layout/Card.tsx';
import { DataTable, RowTitle, type Column } from '../../../ui/tables/DataTable.tsx';
import { useFormat } from '../../../words/format.ts';
import { useWords } from '../../../words/preferences.tsx';

interface Props {
  rows: AuditEntry[];
  filter: AuditFilter;
}

/** Shows the trail; the name of a user or of an operation filters by it. */
export function AuditTable({ rows, filter }: Props) {
  const { account, audit, installation } = useWords();
  const format = useFormat();
  const columns: Column<AuditEntry>[] = [
    { key: 'at', title: audit.columns.at, cell: ({ at }) => format.moment(at) },
    { key: 'who', title: audit.columns.who, cell: (entry) => <ActorCell entry={entry} filter={filter} /> },
    {
      key: 'what',
      title: audit.columns.what,
      cell: ({ operation }) => (
        <Link to="/installation/audit" search={{ ...filter, operation }}>
          {operation}
        </Link>
      ),
    },
    { key: 'where', title: audit.columns.where, cell: (entry) => <TargetCell params={entry.params} /> },
    {
      key: 'fields',
      title: audit.columns.fields,
      cell: ({ fields }) => (fields.length === 0 ? installation.work.none : fields.join(', ')),
    },
    {
      key: 'outcome',
      title: audit.columns.outcome,
      cell: ({ status }) => <Badge tone={toneOf(status)}>{String(status)}</Badge>,
    },
  ];
  return (
    <Card title={account.changes}>
      <DataTable label={account.changes} columns={columns} rows={rows} idOf={({ id }) => id} />
    </Card>
  );
}

function toneOf(status: number): Tone {
  if (status < 400) return 'good';
  return status < 500 ? 'warn' : 'bad';
}

function ActorCell({
  entry: { actor, user_id: user, token_id: token, ip },
  filter,
}: {
  entry: AuditEntry;
  filter: AuditFilter;
}) {
  const { audit } = useWords();
  const name =
    user === null ? (
      actor
    ) : (
      <Link to="/installation/audit" search={{ ...filter, user }}>
        {actor}
      </Link>
    );
  return <RowTitle title={name} detail={token === null ? ip : `${ip} · ${audit.byToken}`} />;
}

/** Shows the title of a visible project or site, and the other parameters unchanged. */
function TargetCell({ params }: { params: AuditEntry['params'] }) {
  const { installation } = useWords();
  const { data: projects = [] } = useQuery(projectsQuery);
  const { data: sites = [] } = useQuery(sitesQuery);
  const { id, ...others } = params;
  const title = [...projects, ...sites].find((tenant) => tenant.id === id)?.title;
  const rest = [...(title === undefined && id !== undefined ? [id] : []), ...Object.values(others)]
    .map(String)
    .join(' · ');
  if (title === undefined) return rest || installation.work.none;
  return <RowTitle title={title} {...(rest !== '' && { detail: rest })} />;
}
