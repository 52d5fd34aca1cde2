/** POST /collect, following the decisions on the intake of the tag. */
import { rule, testsIn, type Chapter } from '../../rule.ts';
import { collect, events, refusals } from './refs.ts';

const cors = testsIn('api/collect/cors');
const durability = testsIn('api/collect/durability');
const quota = testsIn('api/collect/recordingQuota');
const tagUser = testsIn('domain/people/tagUser');
const bad = (...cases: string[]) => events('a single bad event › is invalid_event: %s', ...cases);
const refused = (...cases: string[]) => refusals('422 › %s', ...cases);
const atTheLimits = events('an event › may have values at their limits');
const stored = collect('POST /collect › stores a batch with all that it tells, and makes the visitor known');
const everyType = collect('POST /collect › takes every type with what it needs, and text/plain as JSON');
const byItsPlace = events('a single bad event › is dropped by its place, and the others are taken');

export const collectChapters: Chapter[] = [
  {
    title: 'Analytics: POST /collect, the batch',
    rules: [
      rule(
        'Content-Type',
        'application/json or text/plain, UTF-8',
        everyType,
        refusals('400 › %s', 'a form', 'another content type', 'another charset', 'a compressed body', 'invalid UTF-8'),
      ),
      rule(
        '64 KB',
        '413 beyond',
        refusals('413 › 64 KB are read, one byte more is not'),
        refusals('413 › a body without a length is counted while it streams'),
      ),
      rule(
        'floods',
        'a flood of one site or address is no 503 for another; one address is bounded',
        testsIn('api/collect/writer')(
          'what waits is bounded › for each site: a flood of one from everywhere leaves room for another',
        ),
        testsIn('api/collect/writer')(
          'what waits is bounded › for each address: a flood from one leaves room for other visitors of the site, and for it at other sites',
        ),
        testsIn('api/collect/addressLimit')(
          'the limit of an address at /collect › is 429 with Retry-After over it, before the key is looked at; other addresses go on',
        ),
      ),
      rule(
        '50 events',
        '422 too_many beyond',
        collect('POST /collect › takes none and fifty events'),
        refusals('422 › over 50 events: too_many, whatever is in them'),
      ),
      rule(
        'described',
        'for own trackers too',
        refusals("/collect/openapi.json › describes the intake for trackers of one's own"),
        collect('the examples › of %s are taken while they are fresh', 'docs/collect.md'),
      ),
      rule(
        'key',
        'as_…; 401 when unknown',
        refusals('401 › %s', 'no key', 'an unknown key', 'a key of the API', 'a key of a project'),
        refusals('401 › the API key of the same site'),
        refusals('401 › a key in the address'),
        refusals('401 › a key that was taken a moment ago and is revoked'),
      ),
      rule(
        'visitor_id',
        'a UUID',
        refused('no visitor', 'a visitor that is no UUID', 'null for the visitor'),
        refusals('422 › takes a visitor of any version of UUID'),
      ),
      rule(
        'sent_at',
        "ISO-8601 by the device's clock, whose error is taken off",
        refused('no time of sending', 'a time that is none'),
        collect('the time of an event › is by our clock when the device is far %s', 'ahead', 'behind'),
      ),
      rule(
        'device',
        'screen, window, language, timezone',
        stored,
        atTheLimits,
        refused('a device of another type', 'an unknown field of the device', 'a long language'),
      ),
      rule(
        'malformed',
        'refused as a whole, with a code',
        refused('no events', 'events that are no list', 'an unknown field'),
        refusals('422 › %s for a batch'),
        refusals('400 › %s', 'not JSON', 'nothing'),
      ),
      rule(
        '403',
        'a blocked site, or a host that the site does not list',
        refusals('403 › a site that is %s'),
        refusals('403 › a blocked client'),
        refusals('403 › an origin and a page that are not both listed: %s, %s: %d'),
        refusals('403 › is judged by the pages alone when there is no origin, and not by what is no address'),
      ),
      rule(
        'CORS',
        'here alone',
        cors('/collect › answers a preflight for a day, without credentials'),
        cors('/collect › lets the page read what became of its batch'),
        cors('everything else › is silent about other origins, in answers, errors and preflights'),
      ),
      rule('user agent and address', 'of the request; X-Forwarded-For of trusted proxies', stored),
      rule(
        '202',
        'when it is durable: {accepted, dropped: [{index, code}]}',
        byItsPlace,
        durability(
          'what was answered with 202 is stored exactly once › when PostgreSQL ends at once under load and recovers from its log',
        ),
        durability(
          'what was answered with 202 is stored exactly once › when the API is killed under load, between commit and answer too',
        ),
        durability(
          'what was answered with 202 is stored exactly once › when an answer is lost after its commit: the same batch is all duplicates',
        ),
      ),
      rule('the visitor', 'is known in the same transaction', stored),
      rule(
        'recording',
        'on or full, only where the site records',
        quota(
          'the quota of a day › is what the answers of /collect say: on, full, or nothing of a site that does not record',
        ),
      ),
    ],
  },
  {
    title: 'Analytics: POST /collect, an event',
    rules: [
      rule(
        'id',
        '1 to 36 characters; a repeat within 24 h is dropped',
        atTheLimits,
        bad('no id', 'an empty id', 'a long id'),
        collect('a repeat › of an id is a duplicate for its visitor, whatever else it says, and news for another'),
        collect('a repeat › after 24 hours is news: trackers may use their ids again'),
      ),
      rule(
        'at',
        "ISO-8601 by the device's clock",
        bad('no time', 'a number for time', 'a time without zone', 'a time that is none'),
        collect('the time of an event › is never after the receipt'),
      ),
      rule('type', 'one of twelve', everyType, bad('no type', 'an unknown type')),
      rule('url', '2,048 characters', atTheLimits, bad('no url', 'a relative url', 'a long url')),
      rule('referrer', '2,048 characters', atTheLimits, bad('a long referrer')),
      rule(
        'title',
        '1,000 characters',
        atTheLimits,
        bad('a long title'),
        events('a single bad event › counts characters, not units: a title of 1,000 emoji is taken'),
      ),
      rule(
        'name',
        'event name, goal code, form id',
        everyType,
        atTheLimits,
        bad('an event without name', 'a goal without code', 'a goal with a bad code', 'a long name'),
      ),
      rule(
        'target',
        'address of an outbound link or a download',
        everyType,
        atTheLimits,
        bad('a link without target', 'a long target'),
      ),
      rule(
        'depth',
        '0 to 100',
        atTheLimits,
        bad('a scroll without depth', 'a depth beyond the page', 'a depth before it', 'a text for depth'),
      ),
      rule(
        'x, y, selector',
        'of a click',
        stored,
        atTheLimits,
        bad('a text for x', 'a place far beyond any page', 'a long selector'),
      ),
      rule(
        'params',
        'an object of 2 KB; larger is too_large',
        events('a single bad event › is too_large beyond 2 KB of params, and 4 KB of a user'),
        bad('a list for params'),
      ),
      rule(
        'order',
        'transaction_id, revenue, currency, products, promo_code',
        stored,
        atTheLimits,
        bad(
          'a purchase without order',
          'an order without id',
          'a long transaction id',
          'a text for revenue',
          'a negative revenue',
          'a currency of four letters',
          'products that are no list',
          '201 products',
          'a product without id and name',
          'a long promo code',
          'an unknown field of the order',
        ),
      ),
      rule(
        'user',
        "the argument of svc('user'); contacts only as hashes",
        collect('POST /collect › keeps no e-mail and no phone, and drops nothing for what is wrong in a user'),
        tagUser('readTagUser › keeps what is right, with contacts as hashes only'),
        bad('a user without user', 'a text for user'),
      ),
      rule(
        'too_old',
        'over 24 hours, or LATE_EVENT_HOURS',
        collect('the time of an event › may be 24 hours ago and not more, by our clock'),
        collect('the time of an event › may be as long ago as LATE_EVENT_HOURS says'),
      ),
      rule(
        'duplicate',
        'its id is known',
        collect('a repeat › of a batch is dropped as a whole, and what is new in it is taken'),
        collect('a repeat › sent to two processes at once, in different orders, is stored once'),
      ),
      rule(
        'invalid_event',
        'breaks the form, and harms no other',
        byItsPlace,
        bad('null', 'an empty object', 'an unknown field', 'NUL', 'half a character'),
      ),
      rule('counted', 'what is dropped, by code', collect('POST /collect › counts events by outcome')),
    ],
  },
];
