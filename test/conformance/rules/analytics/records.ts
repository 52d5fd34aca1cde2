/** Identifiers, records, reports, and the state changes of received data. */
import { notOurs, rule, testsIn, type Chapter } from '../../rule.ts';
import {
  answers,
  conversionForm,
  conversions,
  engines,
  facts,
  orders,
  pendingFacts,
  refusedConversion,
  refusedOrder,
  refusedUser,
  refusedVisitor,
  reportFault,
  reports,
  users,
  visitors,
  wholeReports,
} from './refs.ts';

const commands = testsIn('tag/commands');
const people = testsIn('db/sitePeople/apply');
const audience = testsIn('reports/people/loadPeople');
const goals = testsIn('api/cabinet/goals');
const segments = testsIn('api/cabinet/segments');
const savedReports = testsIn('api/cabinet/savedReports');
const invalidProducts = (...cases: string[]) => orders('an order is rejected › invalid_products: %s', ...cases);
const attributes = visitors('POST /visitors/attributes › keeps every field and answers with what is held');
const storedOrder = orders('POST /orders › stores an order with its products at the visit it belongs to');
const onceByBothWays = orders('an order counts once › from the tag and from the API, whichever comes first');
const AS_MUCH = reports('takes as much as the document allows');
const ALONE = reports('takes a request without what has a default');
const oracle = testsIn('reports/oracle/oracle')('random requests on world %i');
const TAG = wholeReports('show what the tag tells as soon as it is taken in, visits that are open among it');
const EVERY = wholeReports('are answered for every dimension and metric that there is');

export const recordChapters: Chapter[] = [
  {
    title: 'Analytics: identifiers',
    rules: [
      rule(
        'visitor_id',
        "a UUID: the value of the cookie _svc_a, which svc('ready') tells",
        commands('the envelope › has the visitor of the cookie, the device and the time of sending'),
        commands('commands › are carried out in order, those from before the script too'),
        refusedConversion('a visitor id that is no UUID'),
        refusedOrder('a visitor id that is no UUID'),
        conversions('POST /conversions › takes a visitor id in any case'),
      ),
      rule(
        'user_id',
        "191 Unicode characters, by svc('user') or POST /users",
        conversionForm('POST /conversions › takes values at their limits'),
        orders('POST /orders › takes values at their limits'),
        users('POST /users › takes values at their limits'),
        refusedConversion('a user id of 192 characters'),
        refusedUser("['users[1].user_id', 'too_long'"),
        people('links › links a visitor to whoever logs in last; the first user keeps what it told'),
      ),
      rule(
        'fingerprint_uuid',
        'a UUID, where the site has the service',
        visitors(
          'POST /visitors/attributes › finds by fingerprint the visitor that was seen with it last, where the site uses them',
        ),
        people('links › notes fingerprints only at sites that use them'),
        refusedVisitor("['visitors[0].fingerprint_uuid', 'invalid_value'"),
      ),
      notOurs(
        'visitor_id out of the cookie',
        'taken only when it is a UUID, and kept with the order until that is sent',
        "the site's server does that",
      ),
    ],
  },
  {
    title: 'Analytics: conversion record',
    rules: [
      rule(
        'id',
        '64 ASCII characters, unique within the site; a repeat is a duplicate',
        conversionForm('POST /conversions › takes values at their limits'),
        refusedConversion('no id', 'an id of 65 characters', 'an id beyond ASCII'),
        conversions('a repeated conversion › is a duplicate and changes nothing, whatever it says now'),
        conversions('a repeated conversion › of another site, or of the tag, is another conversion'),
      ),
      rule(
        'goal',
        'code of a js goal: a-z, 0-9, _ and -, 64',
        conversionForm('POST /conversions › takes values at their limits'),
        refusedConversion('no goal', 'a goal of 65 characters'),
        conversions(
          'a conversion is rejected › unknown_goal: none of that code, not of the type js, not enabled, not of its form',
        ),
        goals('goals › answer 404 for an unknown site and 400 to what is no code'),
      ),
      rule(
        'visitor_id, user_id',
        'one of them',
        refusedConversion('neither visitor nor user', 'a visitor id that is no UUID', 'an empty user id'),
        conversions('POST /conversions › lets visitor_id win over user_id'),
        conversions('POST /conversions › attributes by user_id to the last visit of the visitors linked to him'),
      ),
      rule(
        'occurred_at',
        'receipt by default, and instead of the future',
        conversions('POST /conversions › puts the time of receipt in the place of none and of one in the future'),
        refusedConversion('a time without a zone', 'a time that does not exist'),
      ),
      rule(
        'value',
        'beats the amount of the goal',
        conversions('POST /conversions › takes the amount of the goal where none is sent'),
        refusedConversion('a value that is a text'),
      ),
      rule('unknown fields', 'are none of the record', refusedConversion('an unknown field')),
    ],
  },
  {
    title: 'Analytics: order record',
    rules: [
      rule(
        'transaction_id',
        'identifies the order; tag and API count once',
        refusedOrder('no transaction id', 'a transaction id of 192 characters'),
        onceByBothWays,
        orders('an order counts once › however often the server sends it: what it said first stays'),
      ),
      rule(
        'visitor_id, user_id',
        'one of them',
        refusedOrder('neither visitor nor user'),
        orders('POST /orders › needs no more than transaction_id and a visitor or a user'),
      ),
      rule(
        'occurred_at',
        'time of the order',
        orders('POST /orders › puts the time of receipt in the place of none and of one in the future'),
        refusedOrder('a bad time'),
      ),
      rule(
        'status',
        'purchased by default, or refunded',
        orders('POST /orders › needs no more than transaction_id and a visitor or a user'),
        orders('a refund › counts beside its purchase, and once'),
        refusedOrder('an unknown status'),
      ),
      rule(
        'currency',
        'a code',
        orders('POST /orders › takes values at their limits'),
        refusedOrder('a currency of two letters', 'a currency of four letters'),
        facts('orders › have lines, of whose quantity one is the default, and the currency of the site'),
      ),
      rule('revenue', 'a number', storedOrder, refusedOrder('a revenue that is a text', 'a revenue below 0')),
      rule(
        'products',
        'a fault in them is invalid_products',
        invalidProducts('no list', '201 products', 'one bad product behind a good one'),
        orders('an order is rejected › but not for products that are right: %s'),
      ),
      rule(
        'product: id, name, category, brand, variant',
        'texts, levels of the category separated by /; null is absent, and keys that are not listed are ignored',
        storedOrder,
        invalidProducts('an id that is a number', 'a category that is a list', 'a product with neither id nor name'),
        orders(
          'an order is rejected › but not for products that are right: %s',
          'fields that are null',
          'fields of the shop’s own',
        ),
      ),
      rule(
        'product: price, qty',
        'numbers',
        storedOrder,
        invalidProducts('a price that is a text', 'a price below 0', 'a quantity of 0', 'a quantity that is a text'),
      ),
    ],
  },
  {
    title: 'Analytics: batch response',
    rules: [
      rule(
        'accepted',
        'newly accepted',
        conversions('a conversion is rejected › and does not stop the others'),
        orders('POST /orders › takes five hundred in one request'),
      ),
      rule(
        'duplicates',
        'counted already',
        conversions('a repeated conversion › within a batch counts once, the first; a rejected one leaves its id free'),
        orders('an order counts once › however often the server sends it: what it said first stays'),
      ),
      rule(
        'rejected',
        'index from 0 and code',
        conversions('a conversion is rejected › and does not stop the others'),
        orders('an order is rejected › unknown_visitor and too_old, and does not stop the others'),
      ),
    ],
  },
  {
    title: 'Analytics: report request and response',
    rules: [
      rule('dimensions', 'up to 5', AS_MUCH, reportFault('too_many dimensions', 'unknown_dimension')),
      rule('metrics', '1 to 10', AS_MUCH, reportFault('too_many metrics', 'no metrics', 'unknown_metric')),
      rule(
        'date_from, date_to',
        'days of the site, 25 months, not in the future',
        reports('takes today where the site is, and no later day'),
        testsIn('reports/validate/period')('a period › has 25 months of the calendar at most'),
        testsIn('reports/shapes/time')(
          'a visit over midnight › is of the day on which it began, with all of its page views',
        ),
      ),
      rule(
        'filters',
        'up to 20 conditions, joined by AND; in holds 100 values',
        AS_MUCH,
        reportFault('too_many filters', 'bad_filter of the number of values', 'bad_filter of 101 values'),
        oracle,
      ),
      rule(
        'segment_id',
        'a saved segment',
        reports('takes a saved segment of the site'),
        wholeReports('are of a segment, inline and saved'),
        reportFault('unknown_segment'),
        segments('segments › are created, changed, listed in the order of their making and deleted'),
        savedReports('saved reports › may name a segment of their site'),
      ),
      rule(
        'segment',
        'conditions inline; not both',
        wholeReports('are of a segment, inline and saved'),
        reportFault('segment and segment_id'),
        oracle,
      ),
      rule(
        'attribution',
        'last_significant, first, last',
        AS_MUCH,
        ALONE,
        reportFault('an unknown attribution'),
        oracle,
      ),
      rule('robots', 'exclude, include, only', AS_MUCH, ALONE, reportFault('unknown robots'), oracle),
      rule(
        'sort',
        'up to 3',
        AS_MUCH,
        reportFault('too_many sorts', 'a sort by what is not asked for', 'a sort in no direction'),
        oracle,
      ),
      rule('limit', '1 to 10,000, 100 by default', AS_MUCH, ALONE, reportFault('a limit of 0', 'a limit of 10,001')),
      rule(
        'offset',
        'rows to skip',
        wholeReports('page through their rows in one order'),
        reportFault('an offset below 0'),
      ),
      rule(
        'identifiers',
        'of dimensions and metrics, in the description',
        testsIn('api/analytics/reports')(
          'the description of reports › lists every identifier, those with a parameter as patterns',
        ),
        EVERY,
      ),
      rule('audience metrics', 'people and shares', EVERY, oracle),
      rule(
        'audience labels',
        'codes and ids, with names',
        testsIn('reports/labels/labels')(
          'names of codes › %s: a code that nobody knows is its own name, and no code is null',
        ),
        wholeReports("show what the site's server tells: conversions, orders, refunds, people"),
      ),
      rule('data', 'rows of labels and numbers', TAG, oracle),
      rule('totals', 'a number for each metric', TAG, oracle),
      rule(
        'sampled',
        'true when computed on a sample',
        engines('an engine › is interrupted in time and makes the report of a sample'),
        TAG,
      ),
      rule('timezone', 'that of the site', TAG),
      rule(
        'notes',
        'there when amounts lack a rate (missing_rate), or regions or cities a city database (no_city_database)',
        testsIn('reports/shapes/people')(
          'refunds › money without a rate is left out, of averages the order with it, and the answer says so',
        ),
        testsIn('reports/run/cityNotes')(
          'the notes of a report on regions or cities › say that there is no city database, wherever the report names one of them',
        ),
        testsIn('reports/run/cityNotes')(
          'the notes of a report on regions or cities › are not there with a city database, nor before an ingest has said whether it has one',
        ),
      ),
      rule(
        'audience dimensions, stored',
        'the codes of POST /visitors/attributes, ready to be grouped by',
        people('applyUserData › keeps every field as the dimensions of reports name it'),
        audience('tells of random people what the view tells, network, ages and all'),
      ),
    ],
  },
  {
    title: 'Analytics: records of people',
    rules: [
      rule(
        'attributes of a visitor',
        'gender, age group, geography, children, company, interests, purchase categories, parameters',
        attributes,
        refusedVisitor(
          "['visitors[0].age_group', 'invalid_value'",
          "['visitors[0].geo.country', 'invalid_value'",
          "['visitors[0].company.type', 'invalid_value'",
          "['visitors[0].purchase_categories[0]', 'invalid_value'",
        ),
      ),
      rule(
        'sources',
        'user before site before network',
        visitors('POST /visitors/attributes › leaves what the user told above what the site tells'),
        testsIn('db/sitePeople/network')('the network › comes after what the user and the site told, field by field'),
      ),
      rule(
        'visitor',
        'attributes, first and last visit, number of visits',
        visitors('GET /visitors/{visitor_id} › answers with attributes and visits, at once after every write'),
        testsIn('ingest/ingest')(
          'the ingest › carries every event that was taken into the lake, once, and its visits with it',
        ),
      ),
      rule(
        'network settings',
        'whether sensitive topics are passed',
        visitors('GET /network › tells the settings of the site and how many others take part'),
        testsIn('db/sitePeople/network')(
          'the network › passes sensitive topics and categories only where both sites have switched them on',
        ),
      ),
      rule(
        'user',
        'user_id, email, phone, gender, age, city, children, interests, params',
        users('POST /users › keeps every field, of the user and not of the site'),
      ),
    ],
  },
  {
    title: 'Analytics: states and transitions',
    rules: [
      rule('order, purchased', 'counted once, attributed to a visit', storedOrder, onceByBothWays),
      rule(
        'order, refunded',
        'lowers revenue and orders of the period of its request; the past stays',
        orders('a refund › counts when its request comes, whatever time it names'),
        facts('a refund › counts when its request came, at the visit of its purchase'),
        facts('a refund › without an amount takes back all of its purchase, products too'),
        facts('a refund › that is %s is full or not'),
        facts('a refund › of an unknown purchase lowers the revenue only'),
      ),
      rule(
        'conversion, counted already',
        'a duplicate, no change',
        conversions('a repeated conversion › is a duplicate and changes nothing, whatever it says now'),
      ),
      rule(
        'conversion without a visit within 90 days',
        'too_old, in rejected',
        conversions('a conversion is rejected › too_old: no visit at or before it, within 90 days'),
      ),
      rule('key, revoked', '401', answers('unauthorized: a revoked key, at once')),
      rule(
        'attribution by visitor',
        'the last visit before it, 90 days',
        pendingFacts('the visit of a fact › is the last that started at or before it'),
        pendingFacts('the visit of a fact › began 90 days earlier at most'),
        conversions('POST /conversions › stores a conversion at the visit it belongs to'),
      ),
      rule(
        'attribution by user',
        'the last visit of the visitor linked to him',
        conversions('POST /conversions › attributes by user_id to the last visit of the visitors linked to him'),
        pendingFacts(
          'what is pending › of a user waits for a login that names him, for it links a visitor with its visits',
        ),
      ),
      rule(
        'hits on their way',
        'accepted, and attributed when they are ingested',
        conversions(
          'a conversion of a visitor whose hits are being ingested › is accepted and attributed when they are',
        ),
        conversions(
          'a conversion of a visitor whose hits are being ingested › waits also when there is an earlier visit, for they may begin another',
        ),
        conversions(
          'a conversion of a visitor whose hits are being ingested › who logged in a moment ago is known as a user already',
        ),
      ),
      notOurs('other states', 'of sites, keys and goals', 'the document shows none'),
    ],
  },
];
