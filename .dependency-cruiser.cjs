/**
 * Imports go one way. Read by `npm run lint:imports`. The swc parser is used because TypeScript 7 has no
 * parser for tools; it does not tell type imports from others, so "types only" is checked by .oxlintrc.json.
 */

/** Each folder of the product, and the folders that it may import. A folder that is not listed may import none. */
const LAYERS = {
  domain: [],
  /** Packages for integrators: they know the APIs and nothing else of the product. */
  clients: [],
  process: ['domain', 'outgoing'],
  /** Dictionaries too: what is told of people is stored by their ids. */
  db: ['domain', 'dictionaries'],
  blobs: ['domain', 'process'],
  outgoing: ['domain'],
  /** Dictionaries too: topics of texts are those that people are interested in. */
  providers: ['domain', 'dictionaries', 'outgoing', 'process'],
  /** Forms of what comes in, by request or by file, and what judges it. */
  schemas: ['domain'],
  /** Versioned lists of interests, purchase categories and places. */
  dictionaries: ['domain'],
  /** The web app, which runs in browsers: what it knows of the product is the client of the cabinet API. */
  cabinet: ['clients'],
  /** Runs in browsers; bundled by tools/scripts/tag.ts, with those figures of the domain that both sides go by. */
  tag: ['domain'],
  reports: ['domain', 'schemas', 'dictionaries', 'db', 'blobs', 'process'],
  /** Recommendations and search: the selection process, and what the API does around it. */
  output: ['domain', 'dictionaries', 'db', 'blobs', 'process'],
  /** From the inbox of the tag to visits and the lake. */
  ingest: ['domain', 'schemas', 'dictionaries', 'db', 'reports', 'process'],
  /** The types of activities only. */
  workflows: ['domain', 'activities'],
  relay: ['domain', 'db', 'blobs', 'process'],
  delivery: ['domain', 'db', 'outgoing', 'process'],
  activities: [
    'domain',
    'schemas',
    'dictionaries',
    'db',
    'blobs',
    'outgoing',
    'output',
    'providers',
    'reports',
    'process',
    'delivery',
  ],
  api: ['domain', 'schemas', 'dictionaries', 'db', 'blobs', 'outgoing', 'output', 'providers', 'reports', 'process'],
  workers: [
    'domain',
    'schemas',
    'dictionaries',
    'db',
    'blobs',
    'outgoing',
    'providers',
    'reports',
    'process',
    'relay',
    'delivery',
    'output',
    'ingest',
    'activities',
    'workflows',
  ],
};

/** Development aids: they may import the product, never the other way. */
const AIDS = ['scripts', 'test', 'bench', 'chaos'];

/** Files at the top that process entries read: config.ts. */
const LOCAL = '^(?!node_modules/)[^/]+/';

const layerRules = Object.entries(LAYERS).map(([folder, allowed]) => ({
  name: `${folder}-imports`,
  comment: `${folder}/ may import of the product only: ${[folder, ...allowed].join(', ')}`,
  severity: 'error',
  from: { path: `^${folder}/` },
  to: { path: LOCAL, pathNot: `^(${[folder, ...allowed, ...AIDS].join('|')})/`, dependencyTypesNot: ['core'] },
}));

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
    unlisted,
    {
      name: 'domain-is-pure',
      comment: 'No I/O: of Node only crypto and the names of hosts (url), of packages none.',
      severity: 'error',
      from: { path: '^domain/' },
      to: { path: '.', pathNot: `${LOCAL}|^(crypto|url)$` },
    },
    {
      name: 'workflows-run-in-a-sandbox',
      comment: 'Of packages only @temporalio/workflow and @temporalio/common exist there, of Node nothing.',
      severity: 'error',
      from: { path: '^workflows/' },
      to: { path: '.', pathNot: `${LOCAL}|^node_modules/@temporalio/(workflow|common)/` },
    },
    {
      name: 'config-stays-at-the-entries',
      comment: 'Pass the value as an argument; only process entries know where settings come from.',
      severity: 'error',
      from: { path: '^(domain|workflows|db|blobs|outgoing|reports)/' },
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
      from: { path: '^scripts/', pathNot: '^scripts/(test|conformance)\\.ts$' },
      to: { path: '^test/' },
    },
    {
      name: 'bench-not-to-tests',
      comment: 'A benchmark starts its stack as the tests do, so it shares their aids, not their tests.',
      severity: 'error',
      from: { path: '^bench/' },
      to: { path: '^test/', pathNot: '^test/support/' },
    },
    {
      name: 'chaos-not-to-tests',
      comment: 'As for benchmarks: what tests share (test/support, and the https servers of test/platform/outgoing), not tests.',
      severity: 'error',
      from: { path: '^chaos/' },
      to: { path: '^test/', pathNot: '/support/' },
    },
    {
      name: 'product-not-to-dev-dependencies',
      comment: 'An installation without devDependencies must run. The tag and the web app are bundled before.',
      severity: 'error',
      from: { pathNot: `^(${[...AIDS, 'tag', 'cabinet'].join('|')})/` },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['npm'] },
    },
    {
      name: 'listed-packages-only',
      comment: 'A package that only comes along with another can go away with it.',
      severity: 'error',
      from: { pathNot: '^test/support/environment\\.ts$' },
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
