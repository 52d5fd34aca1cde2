/**
 * The order of the folders inside the large folders of the product, which `npm run lint:imports` keeps
 * (.dependency-cruiser.cjs): each folder may import those before it, so there is no circle between folders.
 */

/**
 * The folders of reports/ from the lowest to the highest. The place of a folder applies to its own files; folders below
 * it have their own places.
 */
const REPORTS = [
  '.',
  'sql',
  'lake',
  'lake/commit',
  'lake/upkeep',
  'people',
  'registry/entry',
  'registry/dimensions',
  'registry/metrics',
  'registry/about',
  'registry',
  'validate',
  'labels',
  'exports',
  'compile/request',
  'compile/context',
  'compile/rows',
  'compile/conditions',
  'compile/scans',
  'compile',
  'run',
  'engines',
];

/**
 * The folders of db/ and of domain/ (its subjects) from the lowest to the highest, with the same meaning. A statement
 * or rule that two subjects need belongs to the lower one, or among the loose files.
 */
const DB = [
  '.',
  'jobs',
  'webhooks/deliveries',
  'webhooks',
  'analysis/results',
  'analysis',
  'items',
  'reruns',
  'sites',
  'recordings',
  'reports',
  'identities',
  'popularity',
  'events',
  'training',
  'orders',
  'accounts',
  'output/person',
  'people',
  'output',
  'search',
  'statistics',
  'collect',
  'visits',
  'lake',
  'installation',
  'siteFacts',
  'sitePeople',
  'siteDeletions',
];
const DOMAIN = [
  '.',
  'accounts',
  'analysis',
  'analysis/safety',
  'jobs',
  'sites',
  'collect',
  'privacy',
  'people',
  'orders',
  'items',
  'events',
  'output',
  'output/similarity',
  'output/page',
  'experiments',
  'search',
  'training',
  'webhooks',
  'reports',
  'visits/addresses',
  'visits',
  'recordings',
  'dictionaries',
  'schemas',
];

/** The folders of platform/process/, with the same meaning. */
const PROCESS = ['.', 'concurrency', 'decoders', 'metrics', 'temporal'];

/**
 * The folders of providers/, with the same meaning: the contract is among the loose files, and the code that chooses a
 * provider comes last.
 */
const PROVIDERS = [
  '.',
  'sound',
  'builtin/threads',
  'builtin/arithmetic',
  'builtin/text',
  'builtin/moderation',
  'builtin/speech',
  'builtin/embedding',
  'builtin/encoder',
  'builtin/nudity',
  'builtin/voice',
  'builtin/vision',
  'builtin/reading/common',
  'builtin/reading/english/network',
  'builtin/reading/english',
  'builtin/reading/russian',
  'builtin/reading',
  'builtin/topics',
  'builtin/summary',
  'builtin',
  'openai/calls',
  'openai/chat',
  'openai/speech',
  'openai/vision',
  'openai/summary',
  'openai/moderation',
  'openai/embedding',
  'openai',
  'setup',
];

/** The folders of output/, with the same meaning: the process that ranks, then what the API does around it. */
const OUTPUT = [
  '.',
  'messages',
  'models',
  'selection/vectors',
  'selection/models',
  'selection/catalogue',
  'selection/rank/scores',
  'selection/rank',
  'selection/upkeep',
  'search/text',
  'search/index',
  'search/match/words',
  'search/match',
  'search',
  'selection',
  'training/rows',
  'training/solve',
  'training/evaluate',
  'training',
  'serve/request',
  'serve/snapshots',
  'serve/candidates',
  'serve/page',
  'serve',
  'search/serve',
];

/**
 * The folders of api/, with the same meaning: the code that mounts all of them is among the loose files, which come
 * last.
 */
const API = [
  'http',
  'http/limits',
  'http/operations',
  'reports',
  'auth',
  'http/handling',
  'analytics',
  'content',
  'content/items',
  'content/events',
  'content/orders',
  'content/users',
  'content/output',
  'cabinet/output/preview',
  'cabinet',
  'cabinet/accounts',
  'cabinet/installation',
  'cabinet/projects',
  'cabinet/webhooks',
  'cabinet/items',
  'cabinet/output',
  'cabinet/reports',
  'cabinet/visitors',
  'cabinet/recordings',
  'cabinet/sites',
  'collect/checks',
  'collect/recordings',
  'collect',
  'exports',
  'maps',
  'media',
  'pages',
  'tag',
  '.',
];

module.exports = { API, DB, DOMAIN, OUTPUT, PROCESS, PROVIDERS, REPORTS };
