/** The files whose tests show the decisions on recommendations and search. */
import { testsIn } from '../../rule.ts';

export const oracle = testsIn('output/oracle/oracle');
export const arranging = testsIn('output/arranging');
export const arrange = testsIn('output/arrange');
export const fallback = testsIn('output/fallback');
export const pages = testsIn('output/pages');
export const person = testsIn('output/person');
export const rates = testsIn('domain/output/rates');
export const report = testsIn('output/outputReport');
export const signals = testsIn('output/signals');
export const readSignals = testsIn('output/readSignals');
export const snapshots = testsIn('output/snapshotWriter');
export const surfaces = testsIn('output/surfaces');
export const experiments = testsIn('output/experiments');
export const variants = testsIn('domain/output/assignVariant');
export const preview = testsIn('output/preview');
export const newcomers = testsIn('output/selection/newcomers');
export const rankFeed = testsIn('output/selection/rankFeed');
export const rankSimilar = testsIn('output/selection/rankSimilar');
export const searched = testsIn('output/search/search');
export const answered = testsIn('output/search/answerSearch');
export const queries = testsIn('output/search/queries');
export const highlights = testsIn('output/search/highlights');
export const suggestions = testsIn('output/search/suggestions');
export const searchFallback = testsIn('output/search/fallback');
export const models = testsIn('api/cabinet/models');
export const training = testsIn('workflows/trainProject');

const inFile =
  (file: string, group: string) =>
  (title: string, ...cases: string[]) =>
    testsIn(file)(`${group} › ${title}`, ...cases);

export const variantModel = inFile('output/variantModel', "a variant's own model");
export const namedModels = inFile('output/selection/namedModels', 'a model that a question names');
export const feed = inFile('output/feed', 'POST /recommendations/feed');
export const similar = inFile('output/similar', 'POST /recommendations/similar');
export const next = inFile('output/next', 'POST /recommendations/next');
export const together = inFile('output/together', 'POST /recommendations/together');
export const popular = inFile('output/popular', 'POST /recommendations/popular');
/** Tests that run for every path. */
export const requests = inFile('output/requests', 'a request to any path of output');
export const mayBeShown = inFile('output/similar', 'what may be shown');

/** Random worlds: every item of every answer, judged by a naive model of the rules. */
export const judged = oracle('nothing is shown that a rule forbids: world %i');
/** Every rule of that model was exercised. */
export const tried = oracle('every rule had its chance to be broken');
export const totals = testsIn('output/search/totals')(
  'totals and facets are what all pages together show, under any rules, and nothing comes twice',
);
