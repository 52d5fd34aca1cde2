/** The analytics API's document: what all methods share, conversions and orders. */
import { notOurs, rule, testsIn, type Chapter } from '../rule.ts';

const conversions = testsIn('api/analytics/conversions');
const orders = testsIn('api/analytics/orders');
const codes = testsIn('api/analytics/errorCodes');
const users = testsIn('api/analytics/users');
const visitors = testsIn('api/analytics/visitors');
const health = testsIn('api/analytics/health');
const facts = testsIn('db/siteFacts/facts');
const openapi = testsIn('api/openapi');
const examples = testsIn('api/examples');
const chaos = testsIn('whole/chaos');

const CONVERSION_FORM = 'a fault of form fails the whole request › %s';
const FORBIDDEN = 'the codes of answers › forbidden: %s, at once';
const UNAUTHORIZED = 'the codes of answers › unauthorized: no key, an unknown one, keys of other kinds, a key in the address';
const HEADERS = 'every answer › has the headers of the document, and no CORS, whoever asks';
const RATE = 'limits › rate_limited at once over 20 a second, which conversions, orders and users of a key share; with Retry-After';
const described = (operation: string) => examples('the example of › %s is answered as described', operation);

export const analyticsChapters: Chapter[] = [
  {
    title: 'Analytics: what the service does',
    rules: [
      rule('1', 'conversions of js goals, orders and refunds from a site\'s server', described('postConversions'), described('postOrders')),
      rule('3', 'server-to-server only: no CORS headers', codes(HEADERS)),
      rule('5', 'a description without authorization', described('getDescription'), openapi('the descriptions › are valid, complete and truthful in their examples')),
      rule('6', 'Cache-Control: no-store and X-Request-ID on every response', codes(HEADERS), codes('every answer › echoes the client\'s own X-Request-ID'), codes('the codes of answers › not_found: no such method: %s %s, with and without a key')),
      rule('7', 'JSON in UTF-8, ISO-8601 with Z, at most 1 MB', codes('the codes of answers › invalid_request: %s', 'not UTF-8'), conversions('POST /conversions › reads timestamps with Z and with an offset, to the second and finer'), codes('the codes of answers › payload_too_large: over 1 MB, whatever is in it; 1 MB is not')),
    ],
  },
  {
    title: 'Analytics: conversion record',
    rules: [
      rule('id', 'up to 64 ASCII characters, unique within the site, counted once', conversions(CONVERSION_FORM, 'an id of 65 characters', 'an id beyond ASCII'), conversions('a repeated conversion › is a duplicate and changes nothing, whatever it says now'), conversions('a repeated conversion › of another site, or of the tag, is another conversion')),
      rule('goal', 'code of an enabled js goal', conversions('a conversion is rejected › unknown_goal: none of that code, not of the type js, not enabled, not of its form')),
      rule('visitor_id', 'UUID; wins over user_id', conversions('POST /conversions › takes a visitor id in any case'), conversions('POST /conversions › lets visitor_id win over user_id'), conversions(CONVERSION_FORM, 'a visitor id that is no UUID')),
      rule('user_id', 'up to 191 characters', conversions('POST /conversions › attributes by user_id to the last visit of the visitors linked to him'), conversions(CONVERSION_FORM, 'a user id of 192 characters')),
      rule('occurred_at', 'absent or in the future: the time of receipt', conversions('POST /conversions › puts the time of receipt in the place of none and of one in the future')),
      rule('value', 'beats the amount of the goal', conversions('POST /conversions › takes the amount of the goal where none is sent')),
    ],
  },
  {
    title: 'Analytics: order record',
    rules: [
      rule('transaction_id', 'a purchase from tag and API counts once', orders('an order counts once › from the tag and from the API, whichever comes first')),
      rule('status', 'purchased by default, refunded', orders('POST /orders › needs no more than transaction_id and a visitor or a user'), orders('a fault of form fails the whole request › %s', 'an unknown status')),
      rule('currency, revenue', 'code, number', orders('POST /orders › stores an order with its products at the visit it belongs to'), orders('a fault of form fails the whole request › %s', 'a currency of two letters', 'a revenue that is a text')),
      rule('products', 'an error in it is invalid_products', orders('an order is rejected › invalid_products: %s'), orders('an order is rejected › but not for products that are right: %s')),
    ],
  },
  {
    title: 'Analytics: states and transitions',
    rules: [
      rule('order, purchased', 'counted, attributed to a visit', orders('POST /orders › stores an order with its products at the visit it belongs to')),
      rule('order, refunded', 'reduces revenue and orders of the period in which the request arrives', facts('a refund › counts when its request came, at the visit of its purchase'), facts('a refund › without an amount takes back all of its purchase, products too'), facts('a refund › that is %s is full or not')),
      rule('conversion, repeated', 'duplicate, no change', conversions('a repeated conversion › is a duplicate and changes nothing, whatever it says now')),
      rule('conversion, no visit', 'too_old', conversions('a conversion is rejected › too_old: no visit at or before it, within 90 days')),
      rule('key, revoked', '401', codes('the codes of answers › unauthorized: a revoked key, at once')),
      rule('attribution', 'the last visit before it, 90 days; by user the last of his visitors', facts('the visit of a fact › is the last that started at or before it'), facts('the visit of a fact › began 90 days earlier at most'), conversions('POST /conversions › attributes by user_id to the last visit of the visitors linked to him')),
      rule('attribution, on the way', 'accepted and attributed when the hits are ingested', conversions('a conversion of a visitor whose hits are being ingested › is accepted and attributed when they are'), conversions('a conversion of a visitor whose hits are being ingested › who logged in a moment ago is known as a user already')),
    ],
  },
  {
    title: 'Analytics: endpoints',
    rules: [
      rule('POST /conversions', 'up to 1000; 202 with accepted, duplicates, rejected', conversions('POST /conversions › takes a thousand in one request'), conversions('a fault of form fails the whole request › too_many: more than a thousand, and nothing else is told of them'), conversions('a conversion is rejected › and does not stop the others')),
      rule('POST /orders', 'up to 500', orders('POST /orders › takes five hundred in one request'), orders('a fault of form fails the whole request › too_many: more than 500')),
      rule('POST /visitors/attributes', 'up to 100; merges and reads', visitors('POST /visitors/attributes › keeps every field and answers with what is held'), visitors('POST /visitors/attributes › takes 100 visitors and no more')),
      rule('GET /visitors/{visitor_id}', 'attributes, first and last visit, number of visits', visitors('GET /visitors/{visitor_id} › answers with attributes and visits, at once after every write')),
      rule('GET /network', 'settings of the site', visitors('GET /network › tells the settings of the site and how many others take part')),
      rule('POST /users', 'up to 500; 202 with results', users('POST /users › keeps every field, of the user and not of the site'), users('POST /users › answers 422 too_many for 501 records')),
      rule('6', 'sent again: the same values, stronger interests', users('POST /users › may be sent again: the same values, stronger interests')),
      rule('GET /openapi.json', 'no authorization', described('getDescription')),
      rule('GET /health', 'ok or degraded, no authorization', health('the health of the analytics › is told without a key, and no more than the state'), health('the health of the analytics › is degraded while hits wait for over a minute')),
      rule('1', 'unknown_goal, unknown_visitor, too_old', conversions('a conversion is rejected › unknown_visitor: a visitor or a user that the site does not know, another site knows')),
      rule('2', 'unknown_visitor, too_old, invalid_products', orders('an order is rejected › unknown_visitor and too_old, and does not stop the others')),
    ],
  },
  {
    title: 'Analytics: authentication',
    rules: [
      rule('1', 'Bearer alone; not in the address', codes(UNAUTHORIZED)),
      rule('5', 'the key determines the site', codes('every answer › is logged with its site')),
      rule('7', 'the public site key is not accepted', codes(UNAUTHORIZED)),
      rule('8', '401 revoked or wrong; 403 blocked or deleted site, blocked owner', codes(FORBIDDEN, 'a blocked site', 'a deleted site', 'a blocked client', 'an owner who is blocked as a user')),
    ],
  },
  {
    title: 'Analytics: errors',
    rules: [
      rule('invalid_request', '400', codes('the codes of answers › invalid_request: %s', 'not JSON')),
      rule('unauthorized', '401', codes(UNAUTHORIZED)),
      rule('forbidden', '403', codes(FORBIDDEN, 'a blocked site')),
      rule('not_found', '404', codes('the codes of answers › not_found: no such method: %s %s, with and without a key')),
      rule('payload_too_large', '413', codes('the codes of answers › payload_too_large: over 1 MB, whatever is in it; 1 MB is not')),
      rule('validation_failed', '422, details of {field, code}', codes('the codes of answers › validation_failed: what is wrong with which field, without messages')),
      rule('rate_limited', '429 with Retry-After', codes(RATE)),
      rule('internal', '500', codes('the codes of answers › internal: a fault of the service itself, without its words')),
      rule('unavailable', '503 with Retry-After', codes('the codes of answers › unavailable: the database is away; with Retry-After')),
      rule('per record', 'accepted + duplicates + rejected is the number sent', conversions('a repeated conversion › within a batch counts once, the first; a rejected one leaves its id free')),
      rule('retry 3', 'batches may be sent again', conversions('a repeated conversion › of two requests at once counts once'), orders('an order counts once › in requests at once'), chaos('a stack whose processes are killed under load › loses nothing, doubles nothing, ends every item and delivers every webhook')),
      notOurs('retry 1, 2', 'when a client repeats', 'the client\'s own; clients/typescript does it'),
    ],
  },
  {
    title: 'Analytics: limits',
    rules: [
      rule('20 a second per key', 'shared by users, conversions, orders', codes(RATE), codes('limits › are those of the key\'s site, and of each key')),
      rule('50 a second per key', 'shared by attributes, visitors, network', codes('limits › rate_limited over the 50 a second that attributes, visitors and network share, apart from what is written'), codes('limits › are 20 and 50 a second by default')),
      rule('3000 a minute per IP', 'all requests to /api/', codes('limits › of one address are shared with the other APIs')),
    ],
  },
];
