/** Limits of requests, reports and sites. */
import { notBuilt, rule, testsIn, type Chapter } from '../../rule.ts';
import {
  answers,
  cabinetReports,
  conversionForm,
  conversions,
  engines,
  FIFTY,
  limits,
  orders,
  reportFault,
  reportLimits,
  reports,
  TWENTY,
  users,
  visitors,
} from './refs.ts';

const transport = testsIn('api/http/transport');
const shared = testsIn('api/sharedLimits');
const sites = testsIn('api/cabinet/sites');
const accounts = testsIn('api/cabinet/users');
const recordings = testsIn('api/cabinet/recordings');
const removal = testsIn('db/recordings/remove');
const day = (title: string) => testsIn('api/collect/recordingQuota')(`the quota of a day › ${title}`);
const quota = (title: string) => testsIn('domain/visits/limits')(`the daily quota › ${title}`);
const ingest = testsIn('ingest/ingest');
const retention = testsIn('reports/lake/upkeep');
const upkeep = testsIn('workflows/lakeUpkeep');
const byNumber = sites('sites › begin with the quotas and limits of the document, by number');
const exported = testsIn('api/cabinet/exports');
const exportWorker = (title: string) => testsIn('workers/exports')(`the analytics process › ${title}`);
const exportWorkflow = testsIn('workflows/buildExports');
const exportQueue = (title: string) => testsIn('db/reportExports')(`the queue of a site › ${title}`);

export const limitChapters: Chapter[] = [
  {
    title: 'Analytics: limits of requests',
    rules: [
      rule(
        '/users, /conversions, /orders',
        '20 a second per key, of the three together',
        limits(TWENTY),
        limits('are 20 and 50 a second by default'),
        limits("are those of the key's site, and of each key"),
        byNumber,
      ),
      rule(
        '/visitors/attributes, /visitors/{visitor_id}, /network',
        '50 a second per key, together',
        limits(FIFTY),
        limits('are 20 and 50 a second by default'),
        byNumber,
      ),
      rule(
        '/reports',
        '2 at a time and 60 in any 60 seconds per key',
        reportLimits('are two at a time of a key, the third is 429 with Retry-After at once'),
        reportLimits('hold over all processes, and of each key by itself'),
        reportLimits('are 60 in any 60 seconds of a key, over all processes and apart from its other requests'),
        byNumber,
      ),
      rule(
        'one address',
        '3,000 a minute under /api/',
        transport('limits of an address › are 3,000 a minute and 50 at a time unless the installation says otherwise'),
        transport('limits of an address › counts everything under /api/ of one client behind a proxy'),
        limits('of one address are shared with the other APIs'),
        shared('two processes › let an address through no more often than one would'),
      ),
      rule('over a limit', 'at once 429 with Retry-After', limits(TWENTY)),
      rule(
        'POST /conversions',
        '1,000',
        conversions('POST /conversions › takes a thousand in one request'),
        conversionForm(
          'a fault of form fails the whole request › too_many: more than a thousand, and nothing else is told of them',
        ),
      ),
      rule(
        'POST /orders',
        '500',
        orders('POST /orders › takes five hundred in one request'),
        orders('a fault of form fails the whole request › too_many: more than 500'),
      ),
      rule(
        'POST /users',
        '500',
        users('POST /users › takes 500 records and an empty batch; the same user twice counts twice, in order'),
        users('POST /users › answers 422 too_many for 501 records'),
      ),
      rule('POST /visitors/attributes', '100', visitors('POST /visitors/attributes › takes 100 visitors and no more')),
      rule(
        'POST /reports',
        '5 dimensions, 10 metrics, 10,000 rows',
        reports('takes as much as the document allows'),
        reportFault('too_many dimensions', 'too_many metrics', 'a limit of 10,001'),
      ),
      rule('any request', '1 MB', answers('payload_too_large: over 1 MB, whatever is in it; 1 MB is not')),
    ],
  },
  {
    title: 'Analytics: limits of reports',
    rules: [
      rule(
        'computation',
        '30 seconds, then a sample of 10 percent',
        engines('an engine › is interrupted in time and makes the report of a sample'),
        engines('an engine › gives the report up when the sample takes too long as well'),
      ),
      rule(
        'reports of a user',
        '2 at a time',
        cabinetReports('reports of one user › are two at a time, whichever of his tokens and browsers ask'),
      ),
      rule(
        'builder',
        '5 groupings and 10 metrics',
        cabinetReports('POST /sites/{id}/reports › refuses what the analytics API refuses, with words in Russian'),
      ),
      rule(
        'export',
        '100,000 rows; over 10,000 in the background, by mail; kept 7 days',
        exportWorker('meanwhile makes a file of 100,000 rows for another site, and no more'),
        exportWorker('makes the file of the killed one anew, once and whole, and leaves nothing behind'),
        exported('exports of up to 10,000 rows › are made at once, as CSV, and open without a session'),
        exportWorkflow('buildExports › makes what waits, in order, and tells of each with a link that opens it'),
        exported('links › lead to a file that is gone after seven days, and then to nothing'),
      ),
      rule(
        'exports of a site',
        'one at a time, 5 queued',
        exported('exports of more rows › wait for their turn, five at most; another site has a queue of its own'),
        exportQueue('takes five, however many come at once'),
        exportQueue('never has two that run'),
      ),
      rule(
        'favourite recordings',
        '100 a site',
        recordings(
          'recordings › are favourites up to the quota, however many are marked at once, and live 90 days then',
        ),
        byNumber,
      ),
      notBuilt('link of a map', 'an hour', 'GET /sites/{id}/maps'),
    ],
  },
  {
    title: 'Analytics: quotas of a site',
    rules: [
      rule(
        'changeable',
        'by an administrator, for a site',
        sites('sites › merge quotas, limits, robots and network, and put null back to the default'),
        sites('an owner › changes what is his to say, and nothing else'),
      ),
      rule(
        'hits a day',
        '1,000,000 by Moscow time',
        byNumber,
        quota('is of the day in Moscow by the hit’s own time'),
        ingest('the ingest › holds the daily quota over transactions, and counts what it did not keep'),
      ),
      rule(
        'hits over it',
        'of 10 percent of the visitors with weight 10; forms, goals, purchases, refunds and users of all',
        quota('keeps of most visitors, once it is used up, only what is listed, with weight 1'),
        quota('keeps of one visitor in ten everything, which then stands for ten'),
        quota('gives a visit of listed kinds alone the weight of its visitor: none, or that of ten'),
        quota(
          'leaves goals of the tag their weight of 1, with everybody; goals by pages stand for as many as their pages',
        ),
      ),
      rule('robots', 'count in the quota of hits', quota('counts robots, and no pings')),
      rule(
        'recordings a day',
        '1,000 by Moscow time; those that have begun go on, short ones do not count',
        byNumber,
        day('ends new recordings, however many begin at once; those that have begun go on'),
        day('does not count those under 5 s, once they have fallen silent'),
        day('is of the day in Moscow'),
      ),
      rule(
        'retention of hits and visits',
        '13 months; conversions, orders and refunds 37 (FACT_RETENTION_MONTHS)',
        byNumber,
        retention('deletePastRetention › removes what is older than 13 months, or than the months of the site'),
        testsIn('db/siteRetention')(
          'removal of old rows › keeps conversions and orders 37 months, longer than visits, and as long as visits where those are kept longer',
        ),
        upkeep('retainLake › removes rows past their time from the lake and from PostgreSQL'),
      ),
      rule(
        'retention of recordings',
        '15 days, 90 at most; favourites 90',
        byNumber,
        removal('the time of a recording › is 15 days, and 90 of a favourite'),
        removal("the time of a recording › is what the site's quota says now"),
        sites('sites › refuse %j', '{ quotas: { recording_days: 91 } }'),
      ),
      rule(
        'sites per user',
        '30',
        sites('an owner › has 30 sites at most, however many are created at once'),
        accounts('the quota of an owner › is asked of %s in whichever way he would come to more'),
      ),
      rule(
        'sites per user, changed',
        'by an administrator for a user',
        accounts('the quota of an owner › is another number of sites when an admin says so, for that user alone'),
        accounts("the quota of an owner › is not an owner's to change"),
      ),
    ],
  },
];
