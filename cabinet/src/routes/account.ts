/** Routes of the home page, the account, and the installation. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { auditFilterOf } from '../data/installation/auditFilter.ts';
import { shell } from './shell.ts';

const home = createRoute({
  getParentRoute: () => shell,
  path: '/',
  component: lazyRouteComponent(() => import('../pages/home/HomePage.tsx'), 'HomePage'),
});

const account = createRoute({
  getParentRoute: () => shell,
  path: '/account',
  component: lazyRouteComponent(() => import('../pages/account/account/AccountPage.tsx'), 'AccountPage'),
});

const users = createRoute({
  getParentRoute: () => shell,
  path: '/users',
  component: lazyRouteComponent(() => import('../pages/installation/users/UsersPage.tsx'), 'UsersPage'),
});

const installation = createRoute({
  getParentRoute: () => shell,
  path: '/installation',
  component: lazyRouteComponent(() => import('../pages/installation/state/InstallationPage.tsx'), 'InstallationPage'),
});

const audit = createRoute({
  getParentRoute: () => shell,
  path: '/installation/audit',
  validateSearch: auditFilterOf,
  component: lazyRouteComponent(() => import('../pages/installation/audit/AuditPage.tsx'), 'AuditPage'),
});

export const accountRoutes = [home, account, users, installation, audit] as const;
