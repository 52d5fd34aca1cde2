/** English texts around every page. */

export const app = {
  title: 'Attune',
  skipToContent: 'Skip to content',
  tenant: 'Project or site',
  projects: 'Projects',
  sites: 'Sites',
  home: 'Home',
  linkedSite: (title: string) => `Its site: ${title}`,
  linkedProject: (title: string) => `Its project: ${title}`,
};

export const palette = {
  open: 'Jump to…',
  key: 'Ctrl K',
  label: 'Jump to a project, a site, a page or an item',
  hint: 'A title or an id',
  nothing: 'Nothing found',
};

export const table = { loading: 'Loading', more: 'More', nothingFound: 'Nothing matches', clear: 'Show all' };

export const notFound = { title: 'No such page', home: 'Go to the home page' };

/** Reasons for which a control is disabled. */
export const refusals = {
  owner: 'Only owners and administrators can do this.',
  admin: 'Only administrators can change this.',
  paused: 'This project is suspended or archived. Nothing can be added or analysed until it is active again.',
};
