/** Progress of a project's analysis: states, failures with reasons, waiting items, and reruns. */
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { itemsIn, pipelineQuery, type Pipeline } from '../../../data/items/pipeline.ts';
import { Card } from '../../../ui/layout/Card.tsx';
import { Empty } from '../../../ui/messages/Empty.tsx';
import { Notice } from '../../../ui/messages/Notice.tsx';
import { Page } from '../../../ui/layout/Page.tsx';
import { Problem } from '../../../ui/messages/Problem.tsx';
import { useWords } from '../../../words/preferences.tsx';
import { Failures } from './Failures.tsx';
import { Reruns } from './Reruns.tsx';
import { Skipped } from './Skipped.tsx';
import { StatusCounts } from './StatusCounts.tsx';
import { StepTable } from './StepTable.tsx';
import { Throughput } from './Throughput.tsx';
import { VolumeNotice } from './VolumeNotice.tsx';
import { Waiting } from './Waiting.tsx';
import styles from './PipelinePage.module.css';

export function PipelinePage() {
  const { pipeline: words, table } = useWords();
  const { project } = useParams({ from: '/shell/p/$project/pipeline' });
  const { data, error, refetch } = useQuery(pipelineQuery(project));
  const isEmpty = data?.counted === true && itemsIn(data) === 0;
  return (
    <Page title={words.title}>
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {!data && !error && <p role="status">{table.loading}</p>}
      {data?.counted === false && <Notice tone="warn">{words.counting}</Notice>}
      {isEmpty && (
        <Empty title={words.empty}>
          <p>{words.emptyHint}</p>
          <Link to="/p/$project/items" params={{ project }}>
            {words.toItems}
          </Link>
        </Empty>
      )}
      {data && !isEmpty && <Cards project={project} pipeline={data} />}
    </Page>
  );
}

function Cards({ project, pipeline }: { project: string; pipeline: Pipeline }) {
  const { pipeline: words } = useWords();
  return (
    <>
      <VolumeNotice project={project} steps={pipeline.steps} />
      <Card title={words.items}>
        <StatusCounts project={project} items={pipeline.items} />
      </Card>
      <Failures project={project} reasons={pipeline.reasons} />
      <Waiting project={project} items={pipeline.oldest} />
      <Throughput hours={pipeline.hours} />
      <div className={styles.pair}>
        <Reruns project={project} pipeline={pipeline} />
        <Skipped reasons={pipeline.reasons} />
      </div>
      <StepTable steps={pipeline.steps} />
    </>
  );
}
