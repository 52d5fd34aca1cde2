import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { meQuery } from '../../data/account/account.ts';
import type { cabinet } from '../../data/client.ts';
import { useWords } from '../../words/preferences.tsx';
import { GENERAL_PAGES, PROJECT_PAGES, SITE_PAGES } from '../menus/pageTabs.ts';
import type { Entry } from './entries.ts';

export interface Destination extends Entry {
  go: () => void;
}

/** The current project or site comes first. */
export interface PaletteContext {
  projects: readonly cabinet.Project[];
  sites: readonly cabinet.Site[];
  /** Id of the project or site whose page is shown. */
  here: string | null;
}

/** Returns every page that the user may open. */
export function useDestinations({ projects, sites, here }: PaletteContext): Destination[] {
  const words = useWords();
  const navigate = useNavigate();
  const pagesOfProject = ({ id, title }: cabinet.Project): Destination[] =>
    PROJECT_PAGES.map(({ to, text }) => ({
      id: `${id}${to}`,
      text: `${title} · ${text(words)}`,
      detail: id,
      go: () => void navigate({ to, params: { project: id } }),
    }));
  const pagesOfSite = ({ id, title }: cabinet.Site): Destination[] =>
    SITE_PAGES.map(({ to, text }) => ({
      id: `${id}${to}`,
      text: `${title} · ${text(words)}`,
      detail: id,
      go: () => void navigate({ to, params: { site: id } }),
    }));
  const hereFirst = (one: { id: string }, other: { id: string }): number =>
    Number(other.id === here) - Number(one.id === here);
  const [ownProjects, ownSites] = [projects.toSorted(hereFirst), sites.toSorted(hereFirst)];
  const isSite = sites.some(({ id }) => id === here);
  const ofProjects = ownProjects.flatMap(pagesOfProject);
  const ofSites = ownSites.flatMap(pagesOfSite);
  return [...(isSite ? [...ofSites, ...ofProjects] : [...ofProjects, ...ofSites]), ...useGeneralPages()];
}

/** Returns the pages that belong to no project or site. */
function useGeneralPages(): Destination[] {
  const words = useWords();
  const navigate = useNavigate();
  const { data: me } = useQuery(meQuery);
  const pages = GENERAL_PAGES.filter(({ isOpenTo }) => isOpenTo(me?.role));
  return [{ to: '/', text: words.app.home } as const, ...pages.map(({ to, text }) => ({ to, text: text(words) }))].map(
    ({ to, text }) => ({ id: to, text, detail: '', go: () => void navigate({ to }) }),
  );
}
