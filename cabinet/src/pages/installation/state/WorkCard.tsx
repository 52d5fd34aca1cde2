import type { InstallationWork, WorkEntry } from '../../../data/installation/installation.ts';
import { Card } from '../../../ui/layout/Card.tsx';
import { DataTable, RowTitle, type Column } from '../../../ui/tables/DataTable.tsx';
import { Hint } from '../../../ui/messages/Hint.tsx';
import { useFormat } from '../../../words/format.ts';
import { useWords } from '../../../words/preferences.tsx';
import { WorkLink } from './WorkLink.tsx';

/** The API's limit: this number means at least as many. */
const MAX_COUNTED = 1_000;

export function WorkCard({ works }: { works: readonly InstallationWork[] }) {
  const { work } = useWords().installation;
  const format = useFormat();
  const countOf = (count: number): string =>
    count < MAX_COUNTED ? format.number(count) : work.orMore(format.number(MAX_COUNTED));
  const rows = works.filter(({ waiting, failed }) => waiting > 0 || (failed ?? 0) > 0);
  const columns: Column<InstallationWork>[] = [
    { key: 'kind', title: work.columns.kind, cell: ({ kind }) => <strong>{work.kinds[kind]}</strong> },
    { key: 'waiting', title: work.columns.waiting, kind: 'number', cell: ({ waiting }) => countOf(waiting) },
    { key: 'oldest', title: work.columns.oldest, cell: ({ oldest: [entry] }) => <FirstEntry entry={entry} /> },
    {
      key: 'failed',
      title: work.columns.failed,
      kind: 'number',
      cell: ({ failed }) => (failed === null ? work.none : countOf(failed)),
    },
    { key: 'latest', title: work.columns.latest, cell: ({ latest_failed: [entry] }) => <FirstEntry entry={entry} /> },
  ];
  return (
    <Card title={work.title}>
      {rows.length === 0 ? (
        <p>{work.nothing}</p>
      ) : (
        <>
          <Hint>{work.about}</Hint>
          <DataTable label={work.title} columns={columns} rows={rows} idOf={({ kind }) => kind} />
        </>
      )}
    </Card>
  );
}

function FirstEntry({ entry }: { entry: WorkEntry | undefined }) {
  const { work } = useWords().installation;
  const format = useFormat();
  if (!entry) return work.none;
  return <RowTitle title={format.moment(entry.at)} detail={<WorkLink entry={entry} />} />;
}
