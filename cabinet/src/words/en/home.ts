/** English texts of the home page. */

export const home = {
  title: 'Your projects and sites',
  noProjects: 'No projects yet.',
  noSites: 'No sites yet.',
  openProject: 'Project overview',
  allItems: 'All items',
  anyHost: 'Hits from any host',
  openSite: 'Visits and reports',
  paused: 'paused',
  stopped: 'not active',
  viewer: 'Owners and administrators can create projects and sites.',
  welcome: {
    title: 'Nothing here yet',
    about:
      'A project holds the items that Attune analyses and recommends; your server sends them. A site holds the visits that are reported by a small script on its pages.',
    viewer: 'Nobody has given you access to a project or a site yet. Ask an owner or an administrator.',
  },
  troubles: {
    title: 'Needs attention',
    failed: (count: string) => `Items whose analysis failed in the last week: ${count}`,
    orMore: (count: string) => `${count} or more`,
    silent: (day: string) => `No hits since ${day}`,
    never: 'No hits yet: add the script to its pages',
  },
  newProject: {
    make: 'New project',
    name: 'Title',
    nameHint: 'For you and your colleagues. It can be changed later.',
    create: 'Create',
    full: 'You have reached the maximum number of projects.',
    keyName: 'First key',
    made: 'The key of the new project',
    keyAbout: 'With this key, your server sends items and events.',
  },
  newSite: {
    make: 'New site',
    hosts: 'Hosts',
    hostsHint:
      'The hosts of its pages, separated by commas: example.com, *.example.com for all its subdomains, * for any.',
    hostsFault: 'One of these is not a host name.',
    timezone: 'Time zone',
    timezoneHint: 'Days in reports begin at midnight in this zone.',
    timezoneFault: 'There is no such time zone. Enter one such as Europe/Berlin.',
    currency: 'Currency',
    currencyHint: 'Three letters, such as EUR.',
    currencyFault: 'This is not a currency code. Enter its three letters, such as EUR.',
    full: 'You have reached the maximum number of sites.',
    made: 'Add this to every page',
    tagAbout: 'Put it into the head of every page of the site. The first hit appears within seconds.',
    open: 'Open the site',
  },
};
