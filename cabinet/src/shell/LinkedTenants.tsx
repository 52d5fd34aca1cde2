/** Links a project to the site whose pages show its items, and back. */
import { Link } from '@tanstack/react-router';
import { ArrowLeftRight } from 'lucide-react';
import type { cabinet } from '../data/client.ts';
import { useWords } from '../words/preferences.tsx';
import styles from './Shell.module.css';

export function LinkedSite({ project, sites }: { project: cabinet.Project; sites: readonly cabinet.Site[] }) {
  const { app } = useWords();
  const site = sites.find(({ id }) => id === project.site_id);
  if (!site) return null;
  const name = app.linkedSite(site.title);
  return (
    <Link to="/s/$site" params={{ site: site.id }} className={styles.linked} aria-label={name} title={name}>
      <Linked title={site.title} />
    </Link>
  );
}

export function LinkedProjects({ site, projects }: { site: string; projects: readonly cabinet.Project[] }) {
  const { app } = useWords();
  return projects
    .filter(({ site_id: linked }) => linked === site)
    .map(({ id, title }) => {
      const name = app.linkedProject(title);
      return (
        <Link
          key={id}
          to="/p/$project/items"
          params={{ project: id }}
          className={styles.linked}
          aria-label={name}
          title={name}
        >
          <Linked title={title} />
        </Link>
      );
    });
}

/** Shows only the icon on a small screen. */
function Linked({ title }: { title: string }) {
  return (
    <>
      <ArrowLeftRight aria-hidden size={16} className={styles.sign} />
      <span className={styles.linkedTitle}>{title}</span>
    </>
  );
}
