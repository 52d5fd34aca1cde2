/** Overview of a project. Each card loads its own data, so that a slow or failing one does not affect the others. */
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { projectQuery } from '../../../data/project/projectSettings.ts';
import { CardGrid } from '../../../ui/layout/CardGrid.tsx';
import { Page } from '../../../ui/layout/Page.tsx';
import { Problem } from '../../../ui/messages/Problem.tsx';
import { useWords } from '../../../words/preferences.tsx';
import { LatestCard } from './LatestCard.tsx';
import { PipelineCard } from './PipelineCard.tsx';
import { VolumeCard } from './VolumeCard.tsx';
import { WebhooksCard } from './WebhooksCard.tsx';

export function ProjectPage() {
  const words = useWords();
  const { project: id } = useParams({ from: '/shell/p/$project' });
  const { data: project, error, refetch } = useQuery(projectQuery(id));
  // No data is requested for a project that does not exist or is not visible.
  return (
    <Page
      title={words.project.title}
      about={
        project && (
          <>
            <code>{id}</code>
            {project.state !== 'active' && <span>{words.settings.general.states[project.state]}</span>}
          </>
        )
      }
    >
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {!project && !error && <p role="status">{words.table.loading}</p>}
      {project && (
        <>
          <PipelineCard project={id} />
          <CardGrid>
            <LatestCard project={id} />
            <VolumeCard project={id} />
            <WebhooksCard project={id} />
          </CardGrid>
        </>
      )}
    </Page>
  );
}
