/** Parent routes of all pages: the document's root, and the shell that only signed-in users see. */
import { createRootRoute, createRoute, Outlet } from '@tanstack/react-router';
import { AttuneError } from '../data/client.ts';
import { meQuery } from '../data/account/account.ts';
import { queryClient } from '../data/account/queryClient.ts';
import { Fault, NotFound } from '../shell/Fallbacks.tsx';
import { loadOrReload } from '../loading/reloadOutdated.ts';
import { Shell } from '../shell/Shell.tsx';
import { openSignIn } from '../ui/messages/signInAddress.ts';
import { prepareWords, type Area } from '../words/load.ts';

/** The query of the address. A malformed field becomes undefined; a missing one stays missing. */
export type Search = Record<string, unknown>;

export const root = createRootRoute({ component: Outlet, errorComponent: Fault, notFoundComponent: NotFound });

/**
 * Returns the word areas of a page.
 * @param path below the app's own
 */
function areasOf(path: string): Area[] {
  if (path.startsWith('/s/')) return ['analytics'];
  return path === '/' || path.startsWith('/p/') ? ['content'] : ['installation'];
}

export const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  beforeLoad: async ({ location, preload }) => {
    const words = prepareWords(areasOf(location.pathname));
    try {
      await queryClient.ensureQueryData(meQuery);
    } catch (error) {
      if (!(error instanceof AttuneError) || error.status !== 401) throw error;
      openSignIn(location.href === '/' ? null : location.href);
      // The document is about to be replaced, so nothing of the page is shown.
      await new Promise(() => undefined);
    }
    await (preload ? words : loadOrReload(() => words));
  },
  component: Shell,
});
