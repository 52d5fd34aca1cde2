/** The frame of every page: the current tenant, navigation, and the account menu. */
import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useMatchRoute } from '@tanstack/react-router';
import { Suspense, useRef } from 'react';
import { meQuery } from '../data/account/account.ts';
import { AttuneError } from '../data/client.ts';
import { useSyncPreferences } from '../data/account/storedPreferences.ts';
import { projectsQuery, sitesQuery } from '../data/account/tenants.ts';
import { useWords } from '../words/preferences.tsx';
import { Banners } from './Banners.tsx';
import { PaletteOpener } from './PaletteOpener.tsx';
import { LinkedProjects, LinkedSite } from './LinkedTenants.tsx';
import { Logo } from './Logo.tsx';
import { AccessLost, SignedOut } from './Fallbacks.tsx';
import { lazyWithReload } from '../loading/reloadOutdated.ts';
import { ProjectTabs, SiteTabs } from './Tabs.tsx';
import { useFocusRestoration } from './useFocusRestoration.ts';
import styles from './Shell.module.css';

// Loaded on demand: floating menus need more script than the rest of the shell.
const AccountMenu = lazyWithReload(async () => (await import('./menus/index.ts')).AccountMenu);
const TenantMenu = lazyWithReload(async () => (await import('./menus/index.ts')).TenantMenu);

export function Shell() {
  const { app } = useWords();
  const { data: projects } = useQuery(projectsQuery);
  const { data: sites } = useQuery(sitesQuery);
  const projectId = useProjectId();
  const siteId = useSiteId();
  const project = projects?.find(({ id }) => id === projectId);
  const site = sites?.find(({ id }) => id === siteId);
  useSyncPreferences();
  useFocusRestoration();
  const tenant = project ?? site;
  const isLost = useAccessLost(projectId ?? siteId, tenant !== undefined, projectId === null ? sites : projects);
  const { error } = useQuery(meQuery);
  const isSignedOut = error instanceof AttuneError && error.status === 401;
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
            {tenant && !isSignedOut && (
              <Suspense>
                <TenantMenu title={tenant.title} />
              </Suspense>
            )}
            {project && <LinkedSite project={project} sites={sites ?? []} />}
            {site && <LinkedProjects site={site.id} projects={projects ?? []} />}
          </div>
          <PaletteOpener projects={projects ?? []} sites={sites ?? []} here={tenant?.id ?? null} />
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
        {isSignedOut && <SignedOut />}
        {/* Hidden and not removed, so that what is typed in a form is there after signing in again. */}
        <div hidden={isSignedOut}>
          {project && <Banners project={project.id} />}
          {isLost ? <AccessLost /> : <Outlet />}
        </div>
      </main>
    </div>
  );
}

/**
 * Returns true for a tenant that was in the user's list and no longer is. A tenant that has just been created is not in
 * the list yet.
 */
function useAccessLost(id: string | null, isListed: boolean, list: readonly unknown[] | undefined): boolean {
  const listed = useRef<string | null>(null);
  if (isListed) listed.current = id;
  return id !== null && listed.current === id && !isListed && list !== undefined;
}

function useProjectId(): string | null {
  const params = useMatchRoute()({ to: '/p/$project', fuzzy: true });
  return params === false ? null : params.project;
}

function useSiteId(): string | null {
  const params = useMatchRoute()({ to: '/s/$site', fuzzy: true });
  return params === false ? null : params.site;
}
