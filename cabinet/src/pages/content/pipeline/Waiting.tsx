import { Link } from '@tanstack/react-router';
import type { Pipeline } from '../../../data/items/pipeline.ts';
import { Card } from '../../../ui/layout/Card.tsx';
import { DataTable, RowTitle, type Column } from '../../../ui/tables/DataTable.tsx';
import { Status } from '../../../ui/messages/Status.tsx';
import { useFormat } from '../../../words/format.ts';
import { useWords } from '../../../words/preferences.tsx';
import { delayReason } from './delayReason.ts';

type WaitingItem = Pipeline['oldest'][number];

/** Lists the items that have waited longest for the end of their analysis, and the reasons. */
export function Waiting({ project, items }: { project: string; items: readonly WaitingItem[] }) {
  const words = useWords();
  const { waitColumns, waiting, nothingWaits } = words.pipeline;
  const format = useFormat();
  const columns: Column<WaitingItem>[] = [
    {
      key: 'item',
      title: waitColumns.item,
      cell: ({ id, title }) => (
        <RowTitle
          title={
            <Link to="/p/$project/items/$item" params={{ project, item: id }}>
              {title ?? id}
            </Link>
          }
          detail={id}
        />
      ),
    },
    { key: 'status', title: waitColumns.status, cell: ({ status }) => <Status status={status} /> },
    { key: 'what', title: waitColumns.what, cell: (item) => delayReason(item, words) },
    {
      key: 'since',
      title: waitColumns.since,
      kind: 'number',
      cell: ({ since }) => format.span(Math.max(0, Date.now() - Date.parse(since))),
    },
  ];
  return (
    <Card title={waiting}>
      {items.length === 0 ? (
        <p>{nothingWaits}</p>
      ) : (
        <DataTable label={waiting} columns={columns} rows={items} idOf={({ id }) => id} />
      )}
    </Card>
  );
}
