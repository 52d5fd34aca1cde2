import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { pipelineQuery, type StepReason } from '../../../data/items/pipeline.ts';
import { Card } from '../../../ui/layout/Card.tsx';
import { Hint } from '../../../ui/messages/Hint.tsx';
import { Problem } from '../../../ui/messages/Problem.tsx';
import { useFormat } from '../../../words/format.ts';
import { useWords } from '../../../words/preferences.tsx';
import { reasonText } from '../../../words/reasonText.ts';
import rows from '../../../ui/tables/Rows.module.css';
import { StatusCounts } from '../pipeline/StatusCounts.tsx';

/** Number of reasons shown; the pipeline page has them all. */
const SHOWN = 3;

/** Shows the number of items in each status, and the most frequent failures. */
export function PipelineCard({ project }: { project: string }) {
  const { project: words, table } = useWords();
  const { data, error, refetch } = useQuery(pipelineQuery(project));
  const failures = data?.reasons.filter(({ state }) => state !== 'skipped').slice(0, SHOWN) ?? [];
  return (
    <Card
      title={words.pipeline}
      aside={
        <Link to="/p/$project/pipeline" params={{ project }}>
          {words.toPipeline}
        </Link>
      }
    >
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {!data && !error && <p role="status">{table.loading}</p>}
      {data && <StatusCounts project={project} items={data.items} />}
      {failures.length > 0 && (
        <>
          <Hint>{words.failures}</Hint>
          <ul className={rows.list}>
            {failures.map((reason) => (
              <Failure key={`${reason.step}/${reason.state}/${reason.code}`} project={project} reason={reason} />
            ))}
          </ul>
        </>
      )}
    </Card>
  );
}

function Failure({ project, reason: { step, code, items } }: { project: string; reason: StepReason }) {
  const words = useWords();
  const format = useFormat();
  return (
    <li>
      <Link to="/p/$project/items" params={{ project }} search={{ step, code }} className={rows.row}>
        <span className={rows.title}>{words.pipeline.inStep(words.steps[step], reasonText(words, code))}</span>
        <span>{format.number(items)}</span>
      </Link>
    </li>
  );
}
