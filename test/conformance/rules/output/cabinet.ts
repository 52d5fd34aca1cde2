/** Surfaces, experiments, reports, models and synonyms of the cabinet, and the small rules. */
import { rule, testsIn, type Chapter } from '../../rule.ts';
import * as refs from './refs.ts';
import {
  experiments,
  judged,
  models,
  namedModels,
  preview,
  rates,
  report,
  surfaces,
  training,
  tried,
  variantModel,
  variants,
} from './refs.ts';

const synonyms = testsIn('output/search/synonyms');
const COUNTS =
  'the report of output › counts requests, impressions, opens, goals, purchases and revenue of what was answered';
const COMPARES = 'the report of an experiment › compares its variants, and says that both learn from both';
const TOLD =
  'GET /projects/{id}/output/models › tells of each model what it was made of, how good it is and why it was not published';

export const cabinetChapters: readonly Chapter[] = [
  {
    title: 'Output: surfaces and experiments',
    rules: [
      rule(
        'GET, PUT, DELETE /projects/{p}/surfaces/{name}',
        'defaults of the fields, boosts and pins under a name',
        surfaces('surfaces › are made, replaced as a whole, listed by name and removed'),
        surfaces('surfaces › are read by viewers, and changed by owners, which the trail tells'),
        surfaces('surfaces › refuse %j'),
      ),
      rule(
        'a surface',
        'name, defaults, boosts, pins, experiment or null, updated_at',
        surfaces('surfaces › are made, replaced as a whole, listed by name and removed'),
        surfaces(
          'a request at a surface › is arranged by the boosts and pins of the surface, unless it brings its own',
        ),
      ),
      rule(
        "a request's own fields",
        "beat the surface's",
        surfaces('a request at a surface › means what the surface says where it says nothing itself'),
        surfaces(
          'a request at a surface › is arranged by the boosts and pins of the surface, unless it brings its own',
        ),
        judged,
      ),
      rule(
        'an experiment',
        'on a surface: two to four variants, shares that add up to 1, dates',
        experiments('an experiment › is on between its dates only, and only at its surface'),
        experiments('an experiment › is on in searches as in every list of its surface'),
        experiments('an experiment › belongs to one surface, and its variants keep their places'),
        surfaces('surfaces › refuse %j', "{ experiment: experimentOf([['a', 1]]) }", "['b', 0.4]"),
        surfaces('surfaces › take three shares of 0.333 for everybody'),
      ),
      rule(
        'most variants',
        'four',
        surfaces('surfaces › take four variants'),
        surfaces(
          'surfaces › refuse %j',
          "[{ experiment: experimentOf(inFifths(5)) }, 'experiment.variants', 'too_long']",
        ),
      ),
      rule(
        'a variant: fields',
        'lie between those of the request and of the surface',
        experiments(
          'an experiment › gives each person one variant, whose settings lie between those of the request and of the surface',
        ),
        judged,
      ),
      rule(
        'a variant: model',
        'ranks by the model that it names, while its file is kept',
        variantModel('ranks for the people of the variant, while the published one ranks for the others'),
        variantModel('is kept by trainings after links, and given up by the one that forgets a deleted person'),
        variantModel(
          'is given up by the next training when no experiment names it any more, and cannot be named again',
        ),
        namedModels('ranks that question alone, as soon as it was read, once'),
        namedModels(
          'leaves the ranking to the published one while it cannot be read, does not fit or is gone, which is said once',
        ),
      ),
      rule(
        'assignment',
        'by a hash of the person, which sticks',
        variants('the variant of a person › is drawn by the shares %j'),
        variants('the variant of a person › is the same each time, and another experiment draws anew'),
        experiments('an experiment › keeps the variant of somebody who becomes known, and of a visitor who signs up'),
        experiments('an experiment › stays with an answer to its last page, even when it is over by then'),
      ),
      rule(
        'a person without identifiers',
        'is assigned by request',
        experiments('an experiment › draws a request without a person anew each time'),
        variants('the variant of a person › is never one without a share, and nobody is drawn anew each time'),
      ),
    ],
  },
  {
    title: 'Output: reports, models, preview and synonyms',
    rules: [
      rule(
        'GET /projects/{p}/output/report',
        'by surface × position × variant × day',
        report(COUNTS),
        report('the report of output › tells days apart, and ends seven days after the answer'),
        report('the report of output › refuses ?%s'),
        report(COMPARES),
      ),
      rule(
        'its counts',
        'requests, share of fallback, latency, impressions, opens, goals, purchases, revenue',
        report(COUNTS),
        report('the report of output › counts events that are kept as states, as long as they hold'),
        report('the report of output › tells days apart, and ends seven days after the answer'),
      ),
      rule(
        'its rates',
        'with intervals by person',
        report(COMPARES),
        rates('a rate › has the interval of a proportion where everybody asks once'),
        rates('a rate › is less sure where requests come from few people who do as they always do'),
        rates('a rate › lies within its interval 95 times in 100'),
      ),
      rule(
        'the sample ratio',
        'is tested',
        report('the report of an experiment › warns where the people are not shared out as they should be'),
        report(
          'the report of an experiment › says when shares were changed meanwhile, and tests the people who came since',
        ),
        rates('the test of the sample ratio › of %j people for %j'),
      ),
      rule('the warning', 'that both variants learn from both', report(COMPARES)),
      rule(
        'GET /projects/{p}/output/models',
        'data, time, quality against popularity of 7 days, whether published and why not',
        models(TOLD),
        models('GET /projects/{id}/output/models › shows nothing of another project'),
        training('trainProject › publishes a model that beats popularity, and leaves nothing else behind'),
        training('trainProject › rejects a model that finds no more than popularity'),
        testsIn('output/training/rows')(
          'lastWindow › is the last seven days, of which only new items count that somebody knew before',
        ),
      ),
      rule(
        'a model',
        'id, kind, state, times, events, items, people, quality and reason',
        models(TOLD),
        training('trainProject › rejects what nobody can be tried on, and keeps the published one'),
        training('trainProject › is given up when a step fails again and again, and says so'),
      ),
      rule(
        'POST /projects/{p}/output/train',
        'starts one',
        models('POST /projects/{id}/output/train › opens a training with its job, and no second one meanwhile'),
        models('POST /projects/{id}/output/train › is written into the trail of changes, and there is no such project'),
      ),
      rule(
        'POST /projects/{p}/output/preview',
        'the same requests as any person, with explain and without a snapshot',
        preview('a preview › answers what the person would get, with its explanation and without a trace'),
        preview(
          'a preview › answers %s',
          "['feed', {}]",
          "['next', { item: 't-0' }]",
          "['search', { query: 'трамвай' }]",
        ),
        preview('a preview › is a read: viewers may, and no trail tells of it'),
        preview('a preview › refuses %s %j'),
      ),
      rule(
        'synonyms',
        'are replaced as a whole, and are those of one project',
        synonyms('the synonyms of a project › are replaced as a whole, and each time have a newer version'),
        synonyms('the synonyms of a project › are of no other project, and of none that is unknown'),
      ),
      rule(
        'rows of synonyms',
        'without `to` all stand for each other',
        refs.queries('what a query finds › %s: %j', "['стиралка', ['washer']]", "['обувь', ['shoes']]"),
      ),
      rule(
        'GET, PUT /projects/{p}/synonyms',
        'up to 1,000 rows of up to 20 words',
        synonyms(
          'GET and PUT /projects/{id}/synonyms › write and read up to 1,000 rows of up to 20 words on each side',
        ),
        synonyms(
          'GET and PUT /projects/{id}/synonyms › refuse %s, and leave what is there',
          "['1,001 rows'",
          "['21 words'",
          "'21 words that they lead to'",
        ),
        refs.searched(
          'POST /search › corrects what was typed, and finds with the synonyms of the project from the next search on',
        ),
      ),
    ],
  },
  {
    title: 'Output: small rules',
    rules: [
      rule(
        'ops by type',
        'string, number, datetime, boolean and list of strings have their own',
        judged,
        tried,
        testsIn('output/fallback')(
          'a filter › is refused where the property is not declared filterable, or the condition does not fit its type',
        ),
      ),
      rule(
        'published_after, published_before',
        'the first includes its moment, the second does not',
        testsIn('output/fallback')(
          'an answer without selection › keeps to every rule, and is never padded with what breaks one',
        ),
        judged,
      ),
      rule(
        'max_per_author',
        'holds for each page',
        refs.arranging('the limit for each author › holds on every page, and loses nothing'),
        refs.arranging('the limit for each author › holds for pins'),
        refs.arrange(
          'pages, one after the other › keep to the limit of each author on every page, and to the order of the ranking within an author',
        ),
        judged,
      ),
    ],
  },
];
