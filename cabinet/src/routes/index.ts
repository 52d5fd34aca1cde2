/** The router with all pages of the cabinet. */
import { createRouter } from '@tanstack/react-router';
import { accountRoutes } from './account.ts';
import { analyticsRoutes } from './analytics.ts';
import { contentRoutes } from './content.ts';
import { root, shell } from './shell.ts';

export const router = createRouter({
  routeTree: root.addChildren([shell.addChildren([...accountRoutes, ...contentRoutes, ...analyticsRoutes])]),
  basepath: '/cabinet',
  defaultPreload: 'intent',
  defaultPreloadStaleTime: 0,
  scrollRestoration: true,
  // Another project, site or item is another page: nothing typed, selected or answered on the former one stays.
  defaultRemountDeps: ({ params }) => params,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
