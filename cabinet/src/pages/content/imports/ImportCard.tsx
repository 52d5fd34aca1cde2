import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { importQuery, isOver, type ImportWithErrors } from '../../../data/items/imports.ts';
import { Card } from '../../../ui/layout/Card.tsx';
import { Figures } from '../../../ui/tables/Figures.tsx';
import { Notice } from '../../../ui/messages/Notice.tsx';
import { Problem } from '../../../ui/messages/Problem.tsx';
import { Progress } from '../../../ui/messages/Progress.tsx';
import { useFormat } from '../../../words/format.ts';
import { useWords } from '../../../words/preferences.tsx';
import { Faults } from './Faults.tsx';
import { ImportState } from './ImportState.tsx';

/** Shows one import: its progress, and the errors of its lines. */
export function ImportCard({ project, id }: { project: string; id: string }) {
  const { imports, table } = useWords();
  const format = useFormat();
  const { data, error, refetch } = useQuery(importQuery(project, id));
  return (
    <Card
      title={data ? imports.of(format.moment(data.created_at)) : imports.one}
      aside={data && <ImportState state={data.state} failed={data.failed} />}
    >
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {!data && !error && <p role="status">{table.loading}</p>}
      {data && <Outcome project={project} stored={data} />}
    </Card>
  );
}

function Outcome({ project, stored }: { project: string; stored: ImportWithErrors }) {
  const { imports } = useWords();
  const format = useFormat();
  const { state, lines, done, failed, progress, errors } = stored;
  return (
    <>
      {!isOver(stored) && <Progress label={imports.states.running} value={progress} max={1} />}
      <Figures
        figures={[
          { name: imports.lines, value: format.number(lines) },
          { name: imports.done, value: format.number(done) },
          { name: imports.failed, value: format.number(failed) },
        ]}
      />
      {state === 'queued' && <p role="status">{imports.queued}</p>}
      {state === 'done' && failed === 0 && (
        <Notice tone="good" title={imports.allDone(format.number(done))}>
          <p>
            {imports.analysed}{' '}
            <Link to="/p/$project/pipeline" params={{ project }}>
              {imports.toPipeline}
            </Link>
          </p>
        </Notice>
      )}
      {state === 'done' && failed > 0 && (
        <Notice tone="warn" title={imports.someFailed(format.number(failed))}>
          <p>{imports.mend}</p>
        </Notice>
      )}
      {state === 'failed' && (
        <Notice tone="bad" title={imports.brokenOff}>
          <p>{imports.mendAll}</p>
        </Notice>
      )}
      <Faults errors={errors} failed={failed} />
    </>
  );
}
