/** The pages of a project and of a site, in the order of their tabs, and those outside of both. */
import type { Role } from '../../data/account/rights.ts';
import type { Words } from '../../words/en/index.ts';

/** `isExact`: the addresses of the other pages begin with this one. */
export const PROJECT_PAGES = [
  { to: '/p/$project', text: ({ project }: Words) => project.title, isExact: true },
  { to: '/p/$project/items', text: ({ items }: Words) => items.title, isExact: false },
  { to: '/p/$project/pipeline', text: ({ pipeline }: Words) => pipeline.title, isExact: false },
  { to: '/p/$project/imports', text: ({ imports }: Words) => imports.title, isExact: false },
  { to: '/p/$project/events', text: ({ events }: Words) => events.title, isExact: false },
  { to: '/p/$project/users', text: ({ people }: Words) => people.title, isExact: false },
  { to: '/p/$project/output', text: ({ output }: Words) => output.title, isExact: false },
  { to: '/p/$project/lab', text: ({ lab }: Words) => lab.title, isExact: false },
  { to: '/p/$project/webhooks', text: ({ webhooks }: Words) => webhooks.title, isExact: false },
  { to: '/p/$project/settings', text: ({ settings }: Words) => settings.title, isExact: false },
] as const;

export const SITE_PAGES = [
  { to: '/s/$site', text: ({ overview }: Words) => overview.title, isExact: true },
  { to: '/s/$site/live', text: ({ live }: Words) => live.title, isExact: false },
  // A report has a separate address from the list that links to it.
  { to: '/s/$site/reports', text: ({ reports }: Words) => reports.title, isExact: false, also: '/s/$site/report' },
  { to: '/s/$site/segments', text: ({ segments }: Words) => segments.title, isExact: false },
  { to: '/s/$site/goals', text: ({ goals }: Words) => goals.title, isExact: false, also: '/s/$site/goal' },
  { to: '/s/$site/exports', text: ({ exportsPage }: Words) => exportsPage.title, isExact: false },
  { to: '/s/$site/visitors', text: ({ visitors }: Words) => visitors.title, isExact: false },
  { to: '/s/$site/recordings', text: ({ recordings }: Words) => recordings.title, isExact: false },
  { to: '/s/$site/settings', text: ({ siteSettings }: Words) => siteSettings.title, isExact: false },
] as const;

interface GeneralPage {
  to: string;
  text(words: Words): string;
  /** @param role of the user; undefined while it is loaded */
  isOpenTo(role: Role | undefined): boolean;
  /** The menu's text for users who may not open the page; null if everybody may. */
  refusal: ((words: Words) => string) | null;
}

/** The pages outside of projects and sites, in the order of the account menu and the jump menu. */
export const GENERAL_PAGES = [
  { to: '/account', text: ({ account }) => account.own, isOpenTo: () => true, refusal: null },
  {
    to: '/users',
    text: ({ account }) => account.users,
    isOpenTo: (role) => role !== 'viewer',
    refusal: ({ refusals }) => refusals.owner,
  },
  {
    to: '/installation/audit',
    text: ({ account }) => account.changes,
    isOpenTo: (role) => role !== 'viewer',
    refusal: ({ account }) => account.noChanges,
  },
  {
    to: '/installation',
    text: ({ account }) => account.installation,
    isOpenTo: (role) => role === 'admin',
    refusal: ({ account }) => account.noInstallation,
  },
] as const satisfies readonly GeneralPage[];
