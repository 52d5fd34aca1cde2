import type { UseQueryResult } from '@tanstack/react-query';
import type { cabinet } from '../../data/client.ts';
import { Problem } from '../../ui/messages/Problem.tsx';
import { useWords } from '../../words/preferences.tsx';
import { ProjectCard } from './ProjectCard.tsx';
import styles from './HomePage.module.css';

export function Projects({ query: { data, error, refetch } }: { query: UseQueryResult<cabinet.Project[]> }) {
  const { app, home, table } = useWords();
  return (
    <section className={styles.group} aria-labelledby="projects">
      <h2 id="projects">{app.projects}</h2>
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {!data && !error && <p role="status">{table.loading}</p>}
      {data?.length === 0 && <p className={styles.none}>{home.noProjects}</p>}
      {data?.map((project) => (
        <ProjectCard key={project.id} project={project} />
      ))}
    </section>
  );
}
