/**
 * Imports go one way. Read by `npm run lint:imports`. The swc parser is used because TypeScript 7 has no
 * parser for tools; it does not tell type imports from others, so "types only" is checked by .oxlintrc.json.
 */

const { API, DB, DOMAIN, OUTPUT, PROCESS, PROVIDERS, REPORTS } = require('./.folder-order.cjs');

/**
 * Each folder of the product, and the folders that it may import. A folder that is not listed may import none. A path
 * below another (`platform/blobs`) has its own line; the longest one that fits a file applies.
 */
const LAYERS = {
  domain: [],
  /** Schemas of requests and imported files, and their validation. */
  'domain/schemas': ['domain'],
  /** Versioned lists of interests, purchase categories and places. */
  'domain/dictionaries': ['domain'],
  /** Packages for integrators: they know the APIs and nothing else of the product. */
  clients: [],
  /** Runs in browsers; tools/scripts/tag.ts bundles it with the constants of the domain that both sides use. */
  'clients/tag': ['domain'],
  'platform/disk': [],
  'platform/outgoing': ['domain'],
  'platform/process': ['domain', 'platform/disk', 'platform/outgoing'],
  'platform/blobs': ['domain', 'platform/disk'],
  /** Needs dictionaries because data about people is stored by their ids. */
  db: ['domain', 'domain/dictionaries'],
  /** Needs dictionaries because topics of texts come from the list of interests. */
  providers: ['domain', 'domain/dictionaries', 'platform/disk', 'platform/outgoing', 'platform/process'],
  reports: [
    'domain',
    'domain/schemas',
    'domain/dictionaries',
    'db',
    'platform/blobs',
    'platform/disk',
    'platform/process',
  ],
  /** Recommendations and search: the selection process, and what the API does around it. */
  output: ['domain', 'domain/dictionaries', 'db', 'platform/blobs', 'platform/process'],
  /** The web app, which runs in browsers and knows only the client of the cabinet API. */
  cabinet: ['clients'],
  /** The types of activities only. */
  workflows: ['domain', 'activities'],
  'loops/relay': ['domain', 'db', 'platform/blobs', 'platform/disk', 'platform/process'],
  'loops/delivery': ['domain', 'db', 'platform/outgoing', 'platform/process'],
  /** From the inbox of the tag to visits and the lake. */
  'loops/ingest': ['domain', 'domain/schemas', 'domain/dictionaries', 'db', 'reports', 'platform/process'],
  activities: [
    'domain',
    'domain/schemas',
    'domain/dictionaries',
    'db',
    'output',
    'providers',
    'reports',
    'platform/blobs',
    'platform/disk',
    'platform/outgoing',
    'platform/process',
    'loops/delivery',
  ],
  api: [
    'domain',
    'domain/schemas',
    'domain/dictionaries',
    'db',
    'output',
    'providers',
    'reports',
    'platform/blobs',
    'platform/disk',
    'platform/outgoing',
    'platform/process',
  ],
  workers: [
    'domain',
    'domain/schemas',
    'domain/dictionaries',
    'db',
    'output',
    'providers',
    'reports',
    'platform/blobs',
    'platform/disk',
    'platform/outgoing',
    'platform/process',
    'loops/relay',
    'loops/delivery',
    'loops/ingest',
    'activities',
    'workflows',
  ],
};

/** Development aids: they may import the product, never the other way. */
const AIDS = ['tools', 'test'];

/** Files at the top that process entries read: config.ts. */
const LOCAL = '^(?!node_modules/)[^/]+/';

/** Matches the files of a folder, without those of a folder below it that has its own line. */
const filesOf = (folder) => {
  const inner = Object.keys(LAYERS)
    .filter((other) => other.startsWith(`${folder}/`))
    .map((other) => other.slice(folder.length + 1));
  return inner.length === 0 ? `${folder}/` : `${folder}/(?!(?:${inner.join('|')})/)`;
};

const layerRules = Object.entries(LAYERS).map(([folder, allowed]) => ({
  name: `${folder.replace('/', '-')}-imports`,
  comment: `${folder}/ may import only these folders of the product: ${[folder, ...allowed].join(', ')}`,
  severity: 'error',
  from: { path: `^${filesOf(folder)}` },
  to: {
    path: LOCAL,
    pathNot: `^(${[...[folder, ...allowed].map(filesOf), ...AIDS.map((aid) => `${aid}/`)].join('|')})`,
    dependencyTypesNot: ['core'],
  },
}));

/** Matches the files of folders below another, without those of the folders below them. */
const loose = (top, folders) =>
  `${top}/(${folders.map((folder) => (folder === '.' ? '' : `${folder}/`)).join('|')})[^/]+$`;

/** The rules that keep the folders of one top-level folder in order. @param list the name of the order */
const orderRules = (top, list, folders) => [
  ...folders.map((folder, index) => ({
    name: `${top}-${folder}-imports`.replaceAll('/', '-'),
    comment: `${top}/${folder} within ${top}/, may import only itself and the folders before it in ${list}`,
    severity: 'error',
    from: { path: `^${loose(top, [folder])}` },
    to: { path: `^${top}/`, pathNot: `^${loose(top, folders.slice(0, index + 1))}` },
  })),
  {
    name: `${top.replace('/', '-')}-unlisted-folder`,
    comment: `A new folder of ${top}/ needs its place in ${list}.`,
    severity: 'error',
    from: { path: `^${top}/`, pathNot: `^${loose(top, folders)}` },
    to: { path: LOCAL, dependencyTypesNot: ['core'] },
  },
];

const unlisted = {
  name: 'unlisted-folder',
  comment: 'A new folder needs its line in LAYERS.',
  severity: 'error',
  from: { path: LOCAL, pathNot: `^(${[...Object.keys(LAYERS), ...AIDS].join('|')})/` },
  to: { path: LOCAL, dependencyTypesNot: ['core'] },
};

module.exports = {
  forbidden: [
    ...layerRules,
    ...orderRules('reports', 'REPORTS', REPORTS),
    ...orderRules('db', 'DB', DB),
    ...orderRules('domain', 'DOMAIN', DOMAIN),
    ...orderRules('platform/process', 'PROCESS', PROCESS),
    ...orderRules('providers', 'PROVIDERS', PROVIDERS),
    ...orderRules('output', 'OUTPUT', OUTPUT),
    ...orderRules('api', 'API', API),
    unlisted,
    {
      name: 'domain-is-pure',
      comment: 'No I/O: from Node only crypto and url (for the names of hosts), and no packages.',
      severity: 'error',
      from: { path: `^${filesOf('domain')}` },
      to: { path: '.', pathNot: `${LOCAL}|^(crypto|url)$` },
    },
    {
      name: 'workflows-run-in-a-sandbox',
      comment: 'Only the packages @temporalio/workflow and @temporalio/common exist there, and nothing of Node.',
      severity: 'error',
      from: { path: '^workflows/' },
      to: { path: '.', pathNot: `${LOCAL}|^node_modules/@temporalio/(workflow|common)/` },
    },
    {
      name: 'config-stays-at-the-entries',
      comment: 'Pass the value as an argument; only process entries know where settings come from.',
      severity: 'error',
      from: { path: '^(domain|workflows|db|platform|providers|reports|output)/' },
      to: { path: '^config\\.ts$' },
    },
    {
      name: 'product-not-to-aids',
      comment: 'Scripts, tests and benchmarks are not shipped.',
      severity: 'error',
      from: { pathNot: `^((${AIDS.join('|')})/|jest\\.)` },
      to: { path: `^(${AIDS.join('|')})/` },
    },
    {
      name: 'scripts-not-to-tests',
      severity: 'error',
      from: { path: '^tools/scripts/', pathNot: '^tools/scripts/(test|conformance)\\.ts$' },
      to: { path: '^test/' },
    },
    {
      name: 'tools-not-to-tests',
      comment: 'Load tests start their stack as the tests do, so they share their support code, not their tests.',
      severity: 'error',
      from: { path: '^tools/(bench|chaos|load|traffic)/' },
      to: { path: '^test/', pathNot: '/support/' },
    },
    {
      name: 'tools-apart',
      comment: 'Tools may share the code of scripts, load and traffic, but not that of bench and chaos.',
      severity: 'error',
      from: { path: '^tools/(bench|chaos|scripts|load|traffic)/' },
      to: { path: '^tools/(bench|chaos)/', pathNot: '^tools/$1/' },
    },
    {
      name: 'product-not-to-dev-dependencies',
      comment: 'An installation without devDependencies must run. The tag and the web app are bundled beforehand.',
      severity: 'error',
      from: { pathNot: `^(${[...AIDS, 'clients/tag', 'cabinet'].join('|')})/` },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['npm'] },
    },
    {
      name: 'listed-packages-only',
      comment: 'A package that is installed only because another one needs it may disappear with it.',
      severity: 'error',
      from: {},
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
    // Generated code imports its types in a circle.
    {
      name: 'no-circular',
      severity: 'error',
      from: { pathNot: '^clients/typescript/src/(content|cabinet|analytics)/' },
      to: { circular: true },
    },
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    parser: 'swc',
    doNotFollow: { path: 'node_modules' },
    exclude: {
      // The parser takes no JSX; what the components of the cabinet may import is in .oxlintrc.json.
      path: '\\.tsx$|^(node_modules/\\.bin|data|dist|coverage|cabinet/dist)/|^clients/(webhooks-)?typescript/(dist/|node_modules/|generate\\.js)',
    },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.js', '.json', '.d.ts'],
    },
  },
};
