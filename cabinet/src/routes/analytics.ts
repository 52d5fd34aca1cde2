/** Routes of a site's pages. The address also stores the state of a page. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { limits } from '../data/apiLimits.ts';
import { reportSearchOf } from '../data/report/reportAddress.ts';
import { overviewSearchOf } from '../pages/analytics/overview/overviewSettings.ts';
import { recordingFilterOf } from '../data/sites/recordingFilter.ts';
import { numberOf, textOf } from '../data/searchValues.ts';
import { visitorFilterOf } from '../data/sites/visitorFilter.ts';
import { shell, type Search } from './shell.ts';

const overview = createRoute({
  getParentRoute: () => shell,
  path: '/s/$site',
  validateSearch: overviewSearchOf,
  component: lazyRouteComponent(() => import('../pages/analytics/overview/OverviewPage.tsx'), 'OverviewPage'),
});

const live = createRoute({
  getParentRoute: () => shell,
  path: '/s/$site/live',
  component: lazyRouteComponent(() => import('../pages/analytics/live/LivePage.tsx'), 'LivePage'),
});

const reports = createRoute({
  getParentRoute: () => shell,
  path: '/s/$site/reports',
  component: lazyRouteComponent(() => import('../pages/analytics/reports/ReportsPage.tsx'), 'ReportsPage'),
});

const report = createRoute({
  getParentRoute: () => shell,
  path: '/s/$site/report',
  validateSearch: reportSearchOf,
  component: lazyRouteComponent(() => import('../pages/analytics/report/ReportPage.tsx'), 'ReportPage'),
});

const segments = createRoute({
  getParentRoute: () => shell,
  path: '/s/$site/segments',
  component: lazyRouteComponent(() => import('../pages/analytics/segments/SegmentsPage.tsx'), 'SegmentsPage'),
});

const segment = createRoute({
  getParentRoute: () => shell,
  path: '/s/$site/segments/$segment',
  component: lazyRouteComponent(() => import('../pages/analytics/segment/SegmentPage.tsx'), 'SegmentPage'),
});

const goals = createRoute({
  getParentRoute: () => shell,
  path: '/s/$site/goals',
  component: lazyRouteComponent(() => import('../pages/analytics/goals/GoalsPage.tsx'), 'GoalsPage'),
});

const goal = createRoute({
  getParentRoute: () => shell,
  path: '/s/$site/goal',
  // Without a code a new goal is created.
  validateSearch: ({ code }: Search): { code?: string | undefined } => ({
    code: textOf(code, limits.listVisitors_goal),
  }),
  component: lazyRouteComponent(() => import('../pages/analytics/goal/GoalPage.tsx'), 'GoalPage'),
});

const siteExports = createRoute({
  getParentRoute: () => shell,
  path: '/s/$site/exports',
  component: lazyRouteComponent(() => import('../pages/analytics/exports/ExportsPage.tsx'), 'ExportsPage'),
});

const recordings = createRoute({
  getParentRoute: () => shell,
  path: '/s/$site/recordings',
  validateSearch: recordingFilterOf,
  component: lazyRouteComponent(() => import('../pages/analytics/recordings/RecordingsPage.tsx'), 'RecordingsPage'),
});

const recording = createRoute({
  getParentRoute: () => shell,
  path: '/s/$site/recordings/$recording',
  // Start position, in seconds.
  validateSearch: ({ at }: Search): { at?: number | undefined } => ({ at: numberOf(at, 0, 86_400) }),
  component: lazyRouteComponent(() => import('../pages/analytics/recording/RecordingPage.tsx'), 'RecordingPage'),
});

const settings = createRoute({
  getParentRoute: () => shell,
  path: '/s/$site/settings',
  component: lazyRouteComponent(() => import('../pages/analytics/settings/SiteSettingsPage.tsx'), 'SiteSettingsPage'),
});

const visitors = createRoute({
  getParentRoute: () => shell,
  path: '/s/$site/visitors',
  validateSearch: visitorFilterOf,
  component: lazyRouteComponent(() => import('../pages/analytics/visitors/VisitorsPage.tsx'), 'VisitorsPage'),
});

const visitor = createRoute({
  getParentRoute: () => shell,
  path: '/s/$site/visitors/$visitor',
  component: lazyRouteComponent(() => import('../pages/analytics/visitor/VisitorPage.tsx'), 'VisitorPage'),
});

export const analyticsRoutes = [
  overview,
  live,
  reports,
  report,
  segments,
  segment,
  goals,
  goal,
  settings,
  siteExports,
  visitors,
  visitor,
  recordings,
  recording,
] as const;
