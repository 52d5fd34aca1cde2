import { Link } from '@tanstack/react-router';
import type { Visitor } from '../../../data/sites/visitors.ts';
import { DataTable, RowTitle, type Column } from '../../../ui/tables/DataTable.tsx';
import { useFormat } from '../../../words/format.ts';
import { useWords } from '../../../words/preferences.tsx';
import { pathText } from '../parts/pathText.ts';
import { sourceText } from '../parts/sourceText.ts';
import { useDeviceText } from '../parts/useDeviceText.ts';

const NOTHING = '—';

export function VisitorTable({ site, visitors }: { site: string; visitors: readonly Visitor[] }) {
  const words = useWords();
  const format = useFormat();
  const deviceText = useDeviceText();
  const { columns, title } = words.visitors;
  const shown: Column<Visitor>[] = [
    {
      key: 'who',
      title: columns.who,
      cell: ({ visitor_id: id, user_id: user }) => (
        <RowTitle
          title={
            <Link to="/s/$site/visitors/$visitor" params={{ site, visitor: id }}>
              {user ?? id.slice(0, 8)}
            </Link>
          }
          detail={user === null ? undefined : id.slice(0, 8)}
        />
      ),
    },
    {
      key: 'when',
      title: columns.when,
      cell: ({ visit, last_visit_at: last }) => {
        const at = visit?.started_at ?? last;
        return at === null ? NOTHING : format.moment(at);
      },
    },
    { key: 'source', title: columns.source, cell: ({ visit }) => (visit && sourceText(visit, words)) ?? NOTHING },
    { key: 'entry', title: columns.entry, cell: ({ visit }) => pathText(visit?.entry_page ?? null) },
    { key: 'device', title: columns.device, cell: ({ visit }) => (visit && deviceText(visit)) || NOTHING },
    { key: 'visits', title: columns.visits, kind: 'number', cell: ({ visits }) => format.number(visits) },
    { key: 'goals', title: columns.goals, kind: 'number', cell: ({ visit }) => format.number(visit?.goals ?? 0) },
    {
      key: 'recordings',
      title: columns.recordings,
      kind: 'number',
      cell: ({ recordings }) => format.number(recordings),
    },
  ];
  return <DataTable label={title} columns={shown} rows={visitors} idOf={({ visitor_id }) => visitor_id} />;
}
