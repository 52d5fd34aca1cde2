/** Health, authentication, errors, limits, versioning. */
import { rule, testsIn, type Chapter } from '../rule.ts';

const health = testsIn('api/content/health');
const checks = testsIn('api/http/orderOfChecks');
const codes = testsIn('api/errorCodes');
const fields = testsIn('api/http/fields');
const batch = testsIn('api/content/itemBatch');
const orders = testsIn('api/content/orders');
const profile = testsIn('api/content/profile');
const cabinet = testsIn('api/cabinet/cabinet');
const openapi = testsIn('api/openapi');
const examples = testsIn('api/examples');

const code = (title: string) => codes(`the codes of answers › ${title}`);
const detail = (...cases: string[]) => codes('the codes of details › %s, of %s', ...cases);
const REFUSED = 'a PUT body that is refused › %s';
const ACCEPTED = 'a PUT body that is accepted › %s';
const refusedProfile = (...cases: string[]) =>
  profile('POST /users/profile › refuses a wrong value (case %#)', ...cases);

export const serviceChapters: Chapter[] = [
  {
    title: 'Endpoints: service',
    rules: [
      rule(
        'GET /health',
        'ok, or degraded without the database or with an overloaded queue; no key',
        health('the health › is ok with a relay that reaches Temporal'),
        health('the health › is degraded when an analysis has been queued for over ten minutes'),
        health(
          'the health › is degraded when a text has stood in the middle of its analysis for over an hour, a video for over six',
        ),
        health(
          'the health › with a delivery that has waited for eleven minutes › is degraded while nobody makes a retry that is due',
        ),
        health('the health › needs no key and tells no reasons'),
        testsIn('api/databaseDown')(
          'without PostgreSQL › answers 503 with Retry-After, the health answers degraded, and both recover',
        ),
      ),
      rule(
        'common statuses',
        '400, 401, 403, 429 and 503 everywhere',
        openapi('the descriptions › name the documented statuses'),
      ),
    ],
  },
  {
    title: 'Authentication',
    rules: [
      rule('1', 'Authorization: Bearer ck_…', checks('401 › %s'), checks('401 › takes the scheme in any case')),
      rule('2', 'not in the address', checks('401 › a key in the query string, with and without a header')),
      rule(
        '3',
        '401 without a key or with a wrong or revoked one; 403 for a blocked client or an archived project',
        checks('401 › a revoked key'),
        checks('403 › a project that is %s'),
        checks('403 › a blocked client'),
      ),
      rule(
        'wrong keys',
        '60 in a burst are 401; a flood from one address is 429 and does not cost a query each',
        testsIn('api/keyFlood')('random keys from one address › of the kind %s: sixty in a burst are 401'),
        testsIn('api/keyFlood')(
          'random keys from one address › do not cost a query each: two thousand meet 429, while a valid key from there works',
        ),
      ),
      rule('4', 'the health needs none', health('the health › needs no key and tells no reasons')),
      rule(
        '5',
        'webhooks are signed',
        testsIn('domain/webhook')('signedRequest › signs timestamp, dot and body with the whole secret'),
      ),
      rule(
        '6',
        'keys are made and revoked (in the cabinet)',
        cabinet('keys › are shown once, work, and stop working when revoked'),
      ),
    ],
  },
  {
    title: 'Errors',
    rules: [
      rule(
        'body',
        '{error: {code, message, details?}}, in Russian',
        code('validation_failed: what is wrong with which field'),
        code('not_found: no such item'),
      ),
      rule(
        '400 invalid_request',
        'not JSON, a wrong query or path',
        code('invalid_request: not JSON, a wrong parameter of the query, a wrong parameter of the path'),
      ),
      rule('401 unauthorized', 'no key or a wrong one', code('unauthorized: no key, a wrong key')),
      rule('403 forbidden', 'suspended or archived', code('forbidden: a project that is %s')),
      rule('404 not_found', 'no such object', code('not_found: no such item')),
      rule(
        '413 payload_too_large',
        'a body or a batch over its limit',
        code('payload_too_large: a body over 5 MB, a batch over its limit'),
      ),
      rule('422 validation_failed', 'fields, with details', code('validation_failed: what is wrong with which field')),
      rule('429 rate_limited', 'with Retry-After in seconds', code('rate_limited: with Retry-After')),
      rule(
        '500 internal',
        'a fault of the service',
        code('internal: a fault of the service itself, without its words'),
      ),
      rule('503 unavailable', 'with Retry-After', code('unavailable: the database is away; with Retry-After')),
      rule(
        'required, invalid_type, invalid_value, too_long, unknown_field',
        'faults of single fields',
        detail('required', 'invalid_type', 'invalid_value', 'too_long', 'unknown_field'),
      ),
      rule('pii_not_allowed', 'personal data in a profile', detail('pii_not_allowed')),
      rule(
        'unknown_filter',
        'a filter of an output',
        testsIn('output/fallback')(
          'a filter › is refused where the property is not declared filterable, or the condition does not fit its type',
        ),
      ),
      rule(
        'no_purchase_type',
        'an order in a project without a purchase type',
        codes('the codes of details › no_purchase_type, in a project without an event type of purchases'),
      ),
      rule('invalid_url', 'a medium that is not https', detail('invalid_url')),
      rule('invalid_datetime', 'a time without its zone', detail('invalid_datetime')),
      rule(
        'too_old',
        'an order older than 730 days',
        detail('too_old'),
        codes('the codes of details › too_old, in the result of a batch'),
      ),
      rule(
        'rejected events',
        'are no error of the request',
        testsIn('api/content/events')('POST /events › names what it rejects by its place, and takes the rest'),
      ),
      rule(
        'batches',
        'tell errors by element',
        batch('POST /items/batch › tells faults of the data by element, with paths of its own'),
      ),
      rule(
        'retry of 429',
        'after Retry-After: a whole number of seconds that suffices',
        checks('429 › comes after 401 and before 413, with whole seconds'),
        testsIn('clients/typescript/client')('retries › waits as long as it is asked to'),
      ),
      rule(
        'retry of 500, 503, breaks',
        'is safe',
        testsIn('clients/typescript/client')('retries › repeats what failed with %i, with its body'),
        testsIn('whole/chaos')(
          'a stack whose processes are killed under load › loses nothing, doubles nothing, ends every item and delivers every webhook',
        ),
      ),
      rule(
        'no retry of 4xx',
        'the same request has the same answer',
        testsIn('clients/typescript/client')('retries › does not repeat %i'),
      ),
    ],
  },
  {
    title: 'Limits',
    rules: [
      rule(
        'output and search',
        '100 a second per key',
        testsIn('api/content/limits')(
          'the limit of a key › is 100 requests of output a second beside them, or what the project has',
        ),
      ),
      rule(
        'other methods',
        '20 a second per key',
        testsIn('api/content/limits')(
          "the limit of a key › is 20 requests a second, of which a second's worth may come at once",
        ),
      ),
      rule(
        'one address',
        '3,000 a minute, 50 at a time',
        testsIn('api/http/transport')(
          'limits of an address › counts everything under /api/ of one client behind a proxy',
        ),
        testsIn('api/http/transport')('limits of an address › lets so many requests run at a time'),
      ),
      rule('request body', '5 MB', checks('413 › a body of 5 MB is read, one byte more is not')),
      rule(
        'POST /items/batch',
        '500',
        batch('POST /items/batch › takes 500 operations and no more, whatever they are'),
      ),
      rule(
        'POST /events',
        '1,000',
        testsIn('api/content/events')('POST /events › takes none and a thousand, and answers 413 to one more'),
      ),
      rule(
        'POST /users/profile/batch',
        '500',
        testsIn('api/content/profileBatch')(
          'POST /users/profile/batch › takes 500 profiles in a handful of statements, and refuses 501',
        ),
      ),
      rule('POST /orders', '200 lines', orders('POST /orders › takes 200 lines')),
      rule(
        'POST /orders/batch',
        '500 orders, 5,000 lines',
        orders('POST /orders/batch › refuses more than 500 orders or 5,000 lines with 413'),
      ),
      rule(
        'object id and user_id',
        '191 Unicode characters',
        batch('POST /items/batch › takes any id of up to 191 characters'),
        profile('POST /users/profile › refuses a wrong user (case %#)', 'user.user_id'),
      ),
      rule(
        'anonymous_id',
        '191 printable ASCII characters',
        profile('POST /users/profile › refuses a wrong user (case %#)', 'user.anonymous_id'),
      ),
      rule(
        'event id and order_id',
        '64 printable ASCII characters',
        testsIn('api/content/events')(
          'what makes the whole request 422 › %s',
          'a long id',
          'an id outside ASCII',
          'an empty order_id',
          'an order_id outside ASCII',
        ),
        orders('POST /orders › refuses %s', 'a long order_id', 'an order_id beyond ASCII'),
      ),
      rule(
        'id in a path',
        'A-Z a-z 0-9 . _ : -',
        checks('400 › an id with %s'),
        testsIn('api/content/items')('GET /items/{id} › takes every documented character in the path'),
      ),
      rule('media per object', '50', fields(REFUSED, '51 media'), fields(ACCEPTED, '50 media')),
      rule(
        'title, description, body',
        '1,000, 20,000, 1,000,000 characters',
        fields(REFUSED, 'a title that is too long', 'a description that is too long', 'a text that is too long'),
      ),
      rule(
        'url, media url',
        '2,048 characters',
        fields(REFUSED, 'an url that is too long', 'an address that is too long'),
      ),
      rule(
        'properties, attributes, line properties',
        '16 KB',
        fields(REFUSED, 'properties over 16 KB'),
        refusedProfile('attributes'),
      ),
      rule('interests', '50 of 200 characters', refusedProfile('interests')),
      rule('followed_authors, hidden_authors', '500 each', refusedProfile('followed_authors', 'hidden_authors')),
      rule(
        'webhooks per project',
        '5',
        testsIn('api/cabinet/webhooks')('webhooks › are five a project at most, however many are created at once'),
      ),
      rule(
        'webhook tests',
        '10 in 10 minutes',
        testsIn('db/deliveryRequests')(
          'a test › is refused after ten in ten minutes, also when they come at once, for the whole project',
        ),
      ),
      rule(
        'undelivered events',
        '50,000 per webhook',
        testsIn('db/deliveryIntake')(
          'reviewBacklogs › drops new events past the limit, and takes them again once the backlog is markedly shorter',
        ),
      ),
      rule(
        'delivery journal',
        '30 days',
        testsIn('relay/retention')(
          'retention › removes what is older than 30 days from the journal, unless it is still to be delivered',
        ),
      ),
      rule(
        'age of events and orders',
        '730 days',
        testsIn('api/content/events')('a rejected event › is older than 730 days'),
        testsIn('domain/orders')('keptMoment › keeps what is within 730 days back and 5 minutes ahead'),
      ),
      rule('frame links', 'an hour', testsIn('api/media/route')('GET /media/{token} › ends after an hour')),
    ],
  },
  {
    title: 'Versioning',
    rules: [
      rule('1', 'v1 is part of the base address', openapi('the descriptions › have bases of their own')),
      rule(
        '2',
        'the description is served without a key and is that of the running server',
        examples('the example of › %s is answered as described', 'getDescription'),
        openapi('the descriptions › are valid, complete and truthful in their examples'),
        openapi('the descriptions › ask for a key everywhere but at the health and the description'),
      ),
    ],
  },
];
