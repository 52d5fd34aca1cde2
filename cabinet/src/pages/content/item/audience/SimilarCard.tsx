import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Item } from '../../../../data/items/items.ts';
import { similarQuery, type Answer } from '../../../../data/output/output.ts';
import { Card } from '../../../../ui/layout/Card.tsx';
import { Empty } from '../../../../ui/messages/Empty.tsx';
import { Hint } from '../../../../ui/messages/Hint.tsx';
import { Problem } from '../../../../ui/messages/Problem.tsx';
import { useWords } from '../../../../words/preferences.tsx';
import { titleOf } from '../../lab/itemParts/titleOf.ts';
import { ItemStrip } from '../../items/ItemStrip.tsx';

const LIMIT = 6;

/** Shows the recommendations that would appear beside the item. */
export function SimilarCard({ project, item }: { project: string; item: Item }) {
  const { similar, table } = useWords();
  const { data, error, refetch } = useQuery(similarQuery(project, item.id, LIMIT));
  return (
    <Card
      title={similar.title}
      aside={
        <Link to="/p/$project/lab" params={{ project }} search={{ path: 'similar', items: [item.id] }}>
          {similar.toLab}
        </Link>
      }
    >
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {!data && !error && <p role="status">{table.loading}</p>}
      {data && 'items' in data && <Row project={project} item={item} answer={data} />}
      <Hint>
        <Link to="/p/$project/lab" params={{ project }} search={{ absent: item.id }}>
          {similar.whyAbsent}
        </Link>
      </Hint>
    </Card>
  );
}

interface RowProps {
  project: string;
  item: Item;
  answer: Extract<Answer, { items: unknown }>;
}

function Row({ project, item, answer: { mode, items } }: RowProps) {
  const { lab, similar } = useWords();
  const hasVectors = item.processing.embedding === 'done';
  if (items.length === 0)
    return (
      <Empty title={similar.none}>
        <p>{hasVectors ? similar.noneHint : similar.notYet}</p>
      </Empty>
    );
  return (
    <>
      {mode === 'fallback' && <Hint>{lab.modes.fallback}</Hint>}
      {mode !== 'fallback' && !hasVectors && <Hint>{similar.notYet}</Hint>}
      <ItemStrip
        label={similar.title}
        project={project}
        items={items.map((shown) => ({ id: shown.id, title: titleOf(shown) ?? shown.id }))}
      />
    </>
  );
}
