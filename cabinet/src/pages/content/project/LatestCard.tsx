import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { latestItemsQuery } from '../../../data/items/items.ts';
import { Card } from '../../../ui/layout/Card.tsx';
import { ItemRows } from '../../../ui/tables/ItemRows.tsx';
import { Problem } from '../../../ui/messages/Problem.tsx';
import { useWords } from '../../../words/preferences.tsx';

/** Lists the most recently changed items. */
export function LatestCard({ project }: { project: string }) {
  const { project: words, items, table } = useWords();
  const { data, error, refetch } = useQuery(latestItemsQuery(project));
  return (
    <Card
      title={words.latest}
      aside={
        <Link to="/p/$project/items" params={{ project }}>
          {words.toItems}
        </Link>
      }
    >
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {!data && !error && <p role="status">{table.loading}</p>}
      {data && data.length > 0 && <ItemRows project={project} items={data} />}
      {data?.length === 0 && (
        <>
          <p>{items.empty}</p>
          <Link to="/p/$project/items" params={{ project }}>
            {words.first}
          </Link>
          <Link to="/p/$project/imports" params={{ project }}>
            {items.emptyImport}
          </Link>
        </>
      )}
    </Card>
  );
}
