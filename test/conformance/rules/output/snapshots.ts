/** Ids of answers, storage of answers, and limits. */
import { rule, testsIn, type Chapter } from '../../rule.ts';
import * as refs from './refs.ts';
import { fallback, similar, snapshots } from './refs.ts';

const answerId = testsIn('domain/output/recommendationId');
const limits = testsIn('api/content/limits');

export const snapshotChapters: readonly Chapter[] = [
  {
    title: 'Output: ids and snapshots',
    rules: [
      rule(
        'recommendation_id',
        '24–64 printable characters that carry mode and variant',
        answerId('the id of an answer › never comes twice'),
        answerId('the id of an answer › is none of ours in any other form'),
        similar('answers what is near by content, the nearest first, without the subject'),
        refs.report('the report of an experiment › counts a real answer by the variant that its id tells'),
      ),
      rule(
        'a snapshot',
        'id, person, surface, mode, model, variant, ids, positions',
        fallback('the snapshot of an answer › has its person, unless the person does not want personalization'),
        snapshots('a stored snapshot › belongs to whom its person is by then'),
        refs.experiments(
          'an experiment › gives each person one variant, whose settings lie between those of the request and of the surface',
        ),
      ),
      rule(
        'propensities',
        'of each item that was shown',
        testsIn('output/feed')(
          'new items that are tried › are in the snapshot with the chance that brought each item to its place',
        ),
        testsIn('output/propensities')(
          'items that are tried › have their own chance, and the others that of a place that is not for trying',
        ),
      ),
      rule(
        '90 days',
        'then it is removed',
        testsIn('relay/retention')(
          'retention › removes snapshots of answers that are older than 90 days, more than one batch of them, and no others',
        ),
      ),
      rule(
        'behind the answer',
        'in batches; what the database refuses or misses holds nothing up',
        snapshots('the writer of snapshots › drops the one that the database refuses, and stores the others'),
        snapshots('the writer of snapshots › waits for a database that is away, and says so once'),
        snapshots('the writer of snapshots › keeps no more items than it may, the latest'),
      ),
      rule(
        'events without a snapshot',
        'are accepted',
        refs.report(
          'the report of output › counts requests, impressions, opens, goals, purchases and revenue of what was answered',
        ),
      ),
      rule(
        'POST /users/delete',
        'removes them, late ones too',
        snapshots('a stored snapshot › is found by the second pass of a deletion when it comes late'),
      ),
      rule(
        'POST /users/link, what is stored later',
        "is the user's",
        snapshots('a stored snapshot › belongs to whom its person is by then'),
      ),
      rule(
        'POST /users/link, what was stored before',
        'is moved to the user',
        snapshots(
          "a stored snapshot › is the user's when its device is linked later on, one that comes late by the second pass",
        ),
      ),
    ],
  },
  {
    title: 'Output: limits',
    rules: [
      rule(
        '100 a second per key',
        'the setting output_per_second',
        limits('the limit of a key › is 100 requests of output a second beside them, or what the project has'),
        refs.requests(
          'is one of those that the key has in a second, whatever the path, and leaves other requests theirs',
        ),
      ),
      rule(
        'other requests',
        'have their own 20 a second',
        limits("the limit of a key › is 20 requests a second, of which a second's worth may come at once"),
      ),
      rule(
        'output_per_second',
        '100 in a project that says nothing',
        testsIn('api/cabinet/cabinet')(
          'projects › are created with the documented limits, read, changed and listed page by page',
        ),
      ),
      rule('64 KB', 'a longer body is 413', refs.requests('has a body of 64 KB at most')),
      rule(
        '300 ms',
        'a selection that takes longer is dropped',
        testsIn('output/selection/server')(
          'a question › is not ranked when its sender does not wait any longer, or has gone',
        ),
      ),
      rule(
        'SELECTION_DEADLINE_MS=0',
        'makes every answer a fallback',
        fallback('an answer without selection › says that it is a fallback, and brings the newest'),
      ),
    ],
  },
];
