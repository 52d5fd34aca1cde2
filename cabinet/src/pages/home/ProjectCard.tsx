import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { cabinet } from '../../data/client.ts';
import { latestItemsQuery } from '../../data/items/items.ts';
import { Card } from '../../ui/layout/Card.tsx';
import { Problem } from '../../ui/messages/Problem.tsx';
import { ItemRows } from '../../ui/tables/ItemRows.tsx';
import { useWords } from '../../words/preferences.tsx';
import { useInView } from './useInView.ts';
import styles from './HomePage.module.css';

/**
 * Shows a project with its latest changes; states are updated live during analysis. Only cards in sight request them:
 * the cards of 200 projects would exhaust the rate limit of an IP address.
 */
export function ProjectCard({ project }: { project: cabinet.Project }) {
  const { home, items: words } = useWords();
  const [ref, isInSight] = useInView<HTMLDivElement>();
  const { data: items, error, refetch } = useQuery({ ...latestItemsQuery(project.id), enabled: isInSight });
  const { id, title, state } = project;
  return (
    <Card
      level={3}
      title={title}
      aside={
        <span className={styles.id}>
          {id}
          {state !== 'active' && ` · ${home.paused}`}
        </span>
      }
    >
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {items?.length === 0 && <p className={styles.none}>{words.empty}</p>}
      {items && items.length > 0 && <ItemRows project={id} items={items} />}
      <div ref={ref} className={styles.ways}>
        <Link to="/p/$project" params={{ project: id }} className={styles.all}>
          {home.openProject}
        </Link>
        <Link to="/p/$project/items" params={{ project: id }} className={styles.all}>
          {home.allItems}
        </Link>
      </div>
    </Card>
  );
}
