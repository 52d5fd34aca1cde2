/** The frame of every page: the current place, navigation, and the account menu. */
import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useMatchRoute } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useAdoptPreferences } from '../data/storedPreferences.ts';
import { projectsQuery, sitesQuery } from '../data/tenants.ts';
import { useWords } from '../words/preferences.tsx';
import { Banners } from './Banners.tsx';
import { PaletteOpener } from './PaletteOpener.tsx';
import { LinkedProjects, LinkedSite } from './LinkedPlaces.tsx';
import { Logo } from './Logo.tsx';
import { lazyPart } from './reloadOutdated.ts';
import { ProjectTabs, SiteTabs } from './Tabs.tsx';
import { useKeptFocus } from './useKeptFocus.ts';
import styles from './Shell.module.css';

// Loaded on demand: floating menus need more script than the rest of the shell.
const AccountMenu = lazyPart(async () => (await import('./AccountMenu.tsx')).AccountMenu);
const PlaceMenu = lazyPart(async () => (await import('./PlaceMenu.tsx')).PlaceMenu);

export function Shell() {
  const { app } = useWords();
  const { data: projects } = useQuery(projectsQuery);
  const { data: sites } = useQuery(sitesQuery);
  const projectId = useProjectId();
  const siteId = useSiteId();
  const project = projects?.find(({ id }) => id === projectId);
  const site = sites?.find(({ id }) => id === siteId);
  useAdoptPreferences();
  useKeptFocus();
  const place = project ?? site;
  return (
    <div className={styles.shell}>
      <a className={styles.skip} href="#content">
        {app.skipToContent}
      </a>
      <header className={styles.header}>
        <div className={styles.bar}>
          <Link to="/" className={styles.brand} title={app.home}>
            <Logo />
            <span className={styles.name}>{app.title}</span>
          </Link>
          <div className={styles.where}>
            {place && (
              <Suspense>
                <PlaceMenu title={place.title} />
              </Suspense>
            )}
            {project && <LinkedSite project={project} sites={sites ?? []} />}
            {site && <LinkedProjects site={site.id} projects={projects ?? []} />}
          </div>
          <PaletteOpener projects={projects ?? []} sites={sites ?? []} here={place?.id ?? null} />
          <Suspense>
            <AccountMenu />
          </Suspense>
        </div>
        {/* Rendered before the titles are known, so that the page below does not move. */}
        {projectId !== null && (project || !projects) && (
          <ProjectTabs project={projectId} title={project?.title ?? projectId} />
        )}
        {siteId !== null && (site || !sites) && <SiteTabs site={siteId} title={site?.title ?? siteId} />}
      </header>
      <main id="content" className={styles.content} tabIndex={-1}>
        {project && <Banners project={project.id} />}
        <Outlet />
      </main>
    </div>
  );
}

function useProjectId(): string | null {
  const params = useMatchRoute()({ to: '/p/$project', fuzzy: true });
  return params === false ? null : params.project;
}

function useSiteId(): string | null {
  const params = useMatchRoute()({ to: '/s/$site', fuzzy: true });
  return params === false ? null : params.site;
}
