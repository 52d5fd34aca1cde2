import { Link } from '@tanstack/react-router';
import { exhaustiveList } from '../../../data/exhaustiveList.ts';
import type { ItemStatus } from '../../../data/items/items.ts';
import type { Pipeline } from '../../../data/items/pipeline.ts';
import { Figures } from '../../../ui/tables/Figures.tsx';
import { useFormat } from '../../../words/format.ts';
import { useWords } from '../../../words/preferences.tsx';

/** In the order of the analysis. */
const STATUSES = exhaustiveList<ItemStatus>({
  queued: true,
  processing: true,
  deferred: true,
  ready: true,
  partial: true,
  failed: true,
});

/** Shows the number of items in each status, linked to these items. */
export function StatusCounts({ project, items }: { project: string; items: Pipeline['items'] }) {
  const { statuses } = useWords();
  const format = useFormat();
  return (
    <Figures
      figures={STATUSES.map((status) => ({
        name: statuses[status],
        value: (
          <Link to="/p/$project/items" params={{ project }} search={{ status }}>
            {format.number(items[status])}
            <span className="heard"> {statuses[status]}</span>
          </Link>
        ),
      }))}
    />
  );
}
