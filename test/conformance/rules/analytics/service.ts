/** The service of the analytics API, its keys, errors and version. */
import { notOurs, rule, testsIn, type Chapter } from '../../rule.ts';
import {
  answers,
  cabinetReports,
  CHAOS,
  conversionForm,
  conversions,
  described,
  description,
  everyAnswer,
  facts,
  FORBIDDEN,
  limits,
  orders,
  reportFault,
  reportLimits,
  TWENTY,
  UNAUTHORIZED,
  users,
  visitors,
  wholeReports,
} from './refs.ts';

const sites = testsIn('api/cabinet/sites');
const siteKey = testsIn('api/auth/siteKey');
const siteAccess = testsIn('api/auth/siteAccess');
const openapi = testsIn('api/openapi');
const transport = testsIn('api/http/transport');
const personalData = testsIn('whole/personalData');
const client = testsIn('clients/typescript/client');
const health = testsIn('api/analytics/health');
const orderOfChecks = (title: string) => testsIn('api/analytics/errorCodes')(`of two faults › ${title}`);
const publicHealth = health('the health of the analytics › is told without a key, and no more than the state');
const openOperations = description(
  'the description of the analytics API › asks for a key everywhere but at the health and itself',
);
const notFound = answers('not_found: no such method: %s %s, with and without a key');

export const serviceChapters: Chapter[] = [
  {
    title: 'Analytics: what the service does',
    rules: [
      rule(
        'base address',
        'ends in /api/v1; https alone',
        description(
          'the description of the analytics API › is given without a key, and is of version 1 at an address that says so',
        ),
        health('the analytics API › is served under /api/v1 of its own host too'),
        answers('forbidden: http where https is required'),
        transport('REQUIRE_HTTPS › believes X-Forwarded-Proto of a trusted proxy only'),
      ),
      rule(
        '1',
        'takes conversions of js goals, orders and refunds, and what a site knows of visitors and users',
        described('postConversions'),
        described('postOrders'),
        described('postVisitorAttributes'),
        described('postUsers'),
      ),
      rule(
        '2, reports',
        'returns reports of the engine of the cabinet',
        described('postReports'),
        wholeReports('are the same in the cabinet, with names in Russian'),
      ),
      rule(
        '2, visitors',
        'returns attributes of visitors',
        described('getVisitor'),
        visitors('GET /visitors/{visitor_id} › answers with attributes and visits, at once after every write'),
      ),
      rule(
        '3',
        'for servers alone: no CORS headers',
        everyAnswer('has the headers of the document, and no CORS, whoever asks'),
        notFound,
        testsIn('api/collect/cors')(
          'everything else › is silent about other origins, in answers, errors and preflights',
        ),
      ),
      rule(
        '4',
        'no answer has personal data',
        personalData('a stack that is told of people › answers with none of them'),
        personalData('a stack that is told of people › reports none of them, whatever dimension is asked for'),
        personalData('a stack that is told of people › logs none of them, in any process'),
      ),
      rule(
        '5',
        'a description without authorization',
        openOperations,
        description(
          'the description of the analytics API › is given without a key, and is of version 1 at an address that says so',
        ),
      ),
      rule(
        '6',
        'Cache-Control: no-store and X-Request-ID on every answer',
        everyAnswer('has the headers of the document, and no CORS, whoever asks'),
        everyAnswer("echoes the client's own X-Request-ID"),
        notFound,
      ),
      rule(
        '7',
        'JSON in UTF-8; timestamps with Z; 1 MB',
        answers('invalid_request: %s', 'not UTF-8'),
        answers('invalid_request: another type of content'),
        conversions('POST /conversions › reads timestamps with Z and with an offset, to the second and finer'),
        visitors('GET /visitors/{visitor_id} › answers with attributes and visits, at once after every write'),
        answers('payload_too_large: over 1 MB, whatever is in it; 1 MB is not'),
      ),
    ],
  },
  {
    title: 'Analytics: authentication',
    rules: [
      rule(
        '1',
        'Authorization: Bearer; not in the address or parameters',
        answers(UNAUTHORIZED),
        siteKey(
          'the key of a site › is 401 when there is none, or one that is unknown, of another kind, or in the address',
        ),
      ),
      rule(
        '2',
        'ak_ and 40 latin letters and digits',
        testsIn('domain/keys')('keys › a %s key has its documented form'),
        sites(
          'keys of a site › are shown once when they are secret, and listed with their public text when they are not',
        ),
      ),
      rule(
        '3',
        "made in the site's settings; shown once; the list has name, prefix, creation and last use",
        sites(
          'keys of a site › are shown once when they are secret, and listed with their public text when they are not',
        ),
        sites('keys of a site › are listed with name, prefix, creation and last use'),
        siteKey('the key of a site › notes its use'),
      ),
      rule(
        '4',
        'revoked, and a new one made',
        sites('keys of a site › are revoked for good, by their own site only'),
        answers('unauthorized: a revoked key, at once'),
      ),
      rule(
        '5',
        'the key determines the site',
        siteKey('the key of a site › says whose it is, with the limits of the site'),
        conversions('a repeated conversion › of another site, or of the tag, is another conversion'),
        visitors(
          'GET /visitors/{visitor_id} › answers 404 for a visitor that is not known, of another site as well, and 400 for what is no UUID',
        ),
      ),
      rule(
        '6',
        'signing out on all devices revokes no key',
        testsIn('api/cabinet/session')(
          'a session › ends on all devices with POST /logout-everywhere, which ends no token and no key of a project or a site',
        ),
      ),
      rule('7', 'the public as_ key is none', answers(UNAUTHORIZED)),
      rule(
        '8',
        '401 for a revoked or wrong key; 403 for a blocked or deleted site or a blocked owner',
        answers('unauthorized: a revoked key, at once'),
        answers(UNAUTHORIZED),
        answers(
          FORBIDDEN,
          'a blocked site',
          'a deleted site',
          'an owner whose state is blocked',
          'a blocked client',
          'an owner who is blocked as a user',
        ),
        siteAccess('what takes effect at once, in both processes › is %j, and the opposite'),
        siteAccess("what takes effect at once, in both processes › is the revocation of a site's keys"),
      ),
      rule('9', 'none for the description and the health', openOperations, publicHealth),
    ],
  },
  {
    title: 'Analytics: errors',
    rules: [
      rule(
        'body',
        '{error: {code, message, details?}}',
        answers('validation_failed: what is wrong with which field, without messages'),
        notFound,
      ),
      rule(
        '400 invalid_request',
        'not JSON or not to be parsed',
        answers('invalid_request: %s', 'not JSON', 'no body', 'not UTF-8'),
        answers('invalid_request: another type of content'),
        visitors(
          'GET /visitors/{visitor_id} › answers 404 for a visitor that is not known, of another site as well, and 400 for what is no UUID',
        ),
      ),
      rule(
        '401 unauthorized',
        'no key, a wrong or revoked one',
        answers(UNAUTHORIZED),
        answers('unauthorized: a revoked key, at once'),
      ),
      rule(
        '403 forbidden',
        'site blocked or deleted, owner blocked',
        answers(FORBIDDEN, 'a blocked site', 'a deleted site', 'an owner whose state is blocked'),
      ),
      rule(
        '404 not_found',
        'no such method or object',
        notFound,
        visitors(
          'GET /visitors/{visitor_id} › answers 404 for a visitor that is not known, of another site as well, and 400 for what is no UUID',
        ),
      ),
      rule(
        '413 payload_too_large',
        'over 1 MB',
        answers('payload_too_large: over 1 MB, whatever is in it; 1 MB is not'),
      ),
      rule(
        '422 validation_failed',
        'fields, with details',
        answers('validation_failed: what is wrong with which field, without messages'),
        conversionForm('a fault of form fails the whole request › has details without messages'),
      ),
      rule('429 rate_limited', 'with Retry-After', limits(TWENTY)),
      rule(
        '429, reports',
        'a third simultaneous report',
        reportLimits('are two at a time of a key, the third is 429 with Retry-After at once'),
      ),
      rule(
        '500 internal',
        'a fault of the service',
        answers('internal: a fault of the service itself, without its words'),
      ),
      rule('503 unavailable', 'with Retry-After', answers('unavailable: the database is away; with Retry-After')),
      rule(
        'of two faults',
        'one order of checks',
        orderOfChecks('404 before 401 before 413'),
        orderOfChecks('403 before 429, 429 before 413'),
        orderOfChecks('413 before 400, 400 before 422'),
      ),
      rule(
        'unknown_dimension',
        'no such dimension',
        reportFault('unknown_dimension', 'unknown_dimension of a filter', 'unknown_dimension in a segment'),
      ),
      rule('unknown_metric', 'no such metric', reportFault('unknown_metric', 'unknown_metric in a segment')),
      rule(
        'unknown_segment',
        'the site has no such segment',
        reportFault('unknown_segment', 'unknown_segment of no form of an id'),
        cabinetReports('POST /sites/{id}/reports › takes a segment saved for the site, and of no other'),
      ),
      rule(
        'incompatible',
        'the metric cannot be computed with the dimensions',
        reportFault('incompatible', 'incompatible with the dimension of a filter'),
        testsIn('reports/validate/request')(
          'identifiers › that cannot be together are incompatible, on the metric: %s',
        ),
      ),
      rule(
        'bad_date',
        'no date, an end before the beginning, over 25 months, the future',
        reportFault(
          'bad_date of the form',
          'bad_date of the calendar',
          'bad_date of an end before the beginning',
          'bad_date of more than 25 months',
          'bad_date in the future',
        ),
        testsIn('reports/validate/period')('a period › has no future, by the clock where the site is'),
      ),
      rule(
        'bad_filter',
        'operation, number of values, regular expression',
        reportFault(
          'bad_filter of the operation',
          'bad_filter of the number of values',
          'bad_filter of 101 values',
          'bad_filter of the pattern',
          'bad_filter in a segment',
        ),
        wholeReports('refuse a pattern that is too much for the engine alone'),
      ),
      rule(
        'too_many of a report',
        'more than 5 dimensions, 10 metrics, 20 filters, 3 sorts',
        reportFault('too_many dimensions', 'too_many metrics', 'too_many filters', 'too_many sorts'),
      ),
      rule(
        'too_many of a batch',
        'more elements than a method takes',
        conversionForm(
          'a fault of form fails the whole request › too_many: more than a thousand, and nothing else is told of them',
        ),
        orders('a fault of form fails the whole request › too_many: more than 500'),
        users('POST /users › answers 422 too_many for 501 records'),
        visitors('POST /visitors/attributes › takes 100 visitors and no more'),
      ),
      rule(
        'errors of records',
        'the request is 202; index from 0; duplicates are no errors',
        conversions('a conversion is rejected › and does not stop the others'),
        orders('an order is rejected › unknown_visitor and too_old, and does not stop the others'),
      ),
      rule(
        'retry 1',
        'after a break, 429, 500, 503 with growing pause, not before Retry-After',
        client('retries › repeats what failed with %i, with its body'),
        client('retries › waits as long as it is asked to'),
      ),
      rule('retry 2', 'no other 4xx', client('retries › does not repeat %i')),
      rule(
        'retry 3',
        'batches may be sent again',
        conversions('a repeated conversion › is a duplicate and changes nothing, whatever it says now'),
        conversions('a repeated conversion › of two requests at once counts once'),
        orders('an order counts once › however often the server sends it: what it said first stays'),
        orders('an order counts once › in requests at once'),
        facts('orders › that meet from two sides at once count once'),
        users('POST /users › may be sent again: the same values, stronger interests'),
        CHAOS,
      ),
    ],
  },
  {
    title: 'Analytics: versioning and events',
    rules: [
      rule(
        '1',
        'v1 is part of the base address',
        description(
          'the description of the analytics API › is given without a key, and is of version 1 at an address that says so',
        ),
      ),
      rule(
        '2',
        'the description is that of the running server',
        description(
          'the description of the analytics API › has the limits that validate, and no field that they do not',
        ),
        description('the description of the analytics API › names the documented statuses of each operation'),
        openapi('the descriptions › are valid, complete and truthful in their examples'),
        described('getDescription'),
      ),
      notOurs('events', 'notifications of this API', 'the document shows none'),
    ],
  },
];
