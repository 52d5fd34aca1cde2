/** Navigation between the pages of a project or a site. */
import { Link, useMatchRoute } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useWords } from '../words/preferences.tsx';
import { PROJECT_PAGES, SITE_PAGES } from './menus/pageTabs.ts';
import styles from './Tabs.module.css';

export function ProjectTabs({ project, title }: { project: string; title: string }) {
  const words = useWords();
  return (
    <Tabs title={title}>
      {PROJECT_PAGES.map(({ to, text, isExact }) => (
        <Link
          key={to}
          to={to}
          params={{ project }}
          activeOptions={{ exact: isExact, includeSearch: false }}
          className={styles.tab}
        >
          {text(words)}
        </Link>
      ))}
    </Tabs>
  );
}

export function SiteTabs({ site, title }: { site: string; title: string }) {
  const words = useWords();
  const matches = useMatchRoute();
  return (
    <Tabs title={title}>
      {SITE_PAGES.map(({ to, text, isExact, ...page }) => (
        <Link
          key={to}
          {...('also' in page && matches({ to: page.also }) !== false && { 'aria-current': 'page' })}
          to={to}
          params={{ site }}
          activeOptions={{ exact: isExact, includeSearch: false }}
          className={styles.tab}
        >
          {text(words)}
        </Link>
      ))}
    </Tabs>
  );
}

function Tabs({ title, children }: { title: string; children: ReactNode }) {
  return (
    <nav aria-label={title} className={styles.tabs}>
      {children}
    </nav>
  );
}
