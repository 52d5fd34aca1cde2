/** Webhooks: set-up, kinds of event, the request, its signature, retries, journal. */
import { rule, testsIn, type Chapter } from '../rule.ts';

const cabinet = testsIn('api/cabinet/webhooks');
const connect = testsIn('outgoing/connect');
const requests = testsIn('db/deliveryRequests');
const recorded = testsIn('db/deliveryIntake');
const journal = testsIn('db/deliveryJournal');
const lane = testsIn('delivery/firstLane');
const breaker = testsIn('delivery/breaker');
const workflow = testsIn('workflows/delivery');
const post = testsIn('outgoing/post');
const domain = testsIn('domain/webhook');
const events = testsIn('db/analysis/steps');
const write = testsIn('db/items/write');
const wire = testsIn('delivery/request');
const codes = testsIn('delivery/errorCodes');
const saved = testsIn('api/cabinet/webhookAddresses');
const helper = testsIn('clients/webhooks/verify');
const python = testsIn('clients/webhooks/python');

const refused = (...cases: string[]) => cabinet('webhooks › refuse %j', ...cases);
const asDocumented = [
  wire('a request on the wire › is as documented for item.processed without a summary'),
  wire('a request on the wire › is as documented for item.failed of an item that is %s'),
  wire('a request on the wire › is as documented for webhook.test'),
];
const withSummary = wire(
  'a request on the wire › is as documented for item.processed with a summary, in UTF-8 and with nothing beyond the five fields',
);
const anotherAttempt = wire(
  'a request on the wire › is another with the next attempt, under the same delivery id: time, signature and secret are those of that moment',
);
const failsWith = (how: string) => codes('a failed attempt › is %s when the receiver %s', how);
const helperRefuses = helper('verifyWebhook › refuses with %s: %s');
const helperTakes = helper('verifyWebhook › takes %s');
const inPython = python('the Python package › takes and refuses the recorded requests');
const bodyFields = domain(
  'requestBody › has the documented fields in the documented order, without a summary when there is none',
);
const signed = domain('signedRequest › signs timestamp, dot and body with the whole secret');
const eventOfStatus = domain('eventOfStatus › %s: %s');
const schedule = workflow(
  'the workflow delivery › makes six more attempts after exactly the documented delays, then gives up',
);

export const webhookChapters: Chapter[] = [
  {
    title: 'Webhooks: set-up',
    rules: [
      rule(
        '1',
        'https, public, judged when saved and at every connection; 2,048 characters; latin host; no user, fragment or underscore',
        saved(
          'an address that is saved › is taken as it is typed: %s',
          '2,048 characters',
          'xn-- form',
          'another port',
          'a query',
        ),
        saved(
          'an address that is saved › is refused: %s',
          'http',
          'no host',
          '2,049 characters',
          'not in latin form',
          'user and password',
          'a fragment',
          'an underscore in the name',
          'localhost',
          'the service itself',
          'a name with a public and a private address',
        ),
        saved(
          'an address that is reached › is refused by the same rules, however it came into the table, with one code and one phrase for all',
        ),
        saved(
          'an address that is reached › that was public when it was saved and is internal now gets no connection, and the journal tells nothing of it',
        ),
        testsIn('outgoing/resolve')(
          'a name server whose answers flip › between check and connection is asked once: what was judged is what is dialled',
        ),
        testsIn('outgoing/address')(
          'forbidden addresses › refuses %s from its first to its last address and nothing beside it',
        ),
      ),
      rule('2', 'at least one of two events', refused('events: []', 'webhook.test')),
      rule(
        '3',
        'a secret whsec_ that is shown once',
        cabinet('webhooks › are created with a secret shown once and stored encrypted'),
        testsIn('domain/keys')('keys › a %s key has its documented form'),
      ),
      rule('4', 'five a project', cabinet('webhooks › are five a project at most, however many are created at once')),
      rule(
        '5',
        'a test: one attempt, ten in ten minutes a project',
        wire(
          'a request on the wire › of a test comes once, also when the receiver breaks off and a connection to it was kept',
        ),
        requests('a test › fails after one attempt'),
        requests('a test › is refused after ten in ten minutes, also when they come at once, for the whole project'),
        cabinet('tests and resends › the eleventh test within ten minutes is 429'),
      ),
      rule(
        '6',
        'a journal of 30 days with event, object, status, attempt, answer, error, next attempt, body',
        cabinet('the journal › is read page by page, newest first, and by filters'),
        cabinet('the journal › shows one delivery with its attempts'),
        journal('readDelivery › tells of a first attempt that is held back when it will be made'),
        testsIn('relay/retention')(
          'retention › removes what is older than 30 days from the journal, unless it is still to be delivered',
        ),
      ),
    ],
  },
  {
    title: 'Webhooks: kinds of event',
    rules: [
      rule('item.processed', 'ready', eventOfStatus),
      rule('item.failed', 'partial or failed', eventOfStatus),
      rule(
        'webhook.test',
        'the test, of the item webhook-test',
        requests('a test › goes out at once as webhook.test, also when the webhook is disabled'),
      ),
      rule(
        '1',
        'one event per change of status, not per failed step',
        events('events › are one for each change to a final status, not one for each step'),
      ),
      rule(
        '2',
        'a final status reached again is a new event',
        events('events › come again when the item reaches a final status again, also the same one'),
      ),
      rule(
        '3',
        'writes that restart nothing give none',
        write('a write of › %s alone outdates nothing and gives no event'),
      ),
      rule(
        '4',
        'none for deleted items, items of orders, archived or suspended projects, and when nobody subscribes',
        recorded('recordItemEvent › queues nothing for %s'),
        write('deletion › gives no event for what still comes in'),
        write('an item of the origin order › has no events'),
        lane('first attempts › are dropped when %s'),
      ),
      rule(
        '5',
        'one event per object of a bulk load',
        testsIn('db/items/bulkEvents')('a bulk load › gives one event per object: origin %s'),
        events('events › are one for each change to a final status, not one for each step'),
        testsIn('db/items/applyOperations')('operations on one id › ask for one analysis, behind single writes'),
      ),
    ],
  },
  {
    title: 'Webhooks: request',
    rules: [
      ...['Content-Type', 'X-Core-Event', 'X-Core-Timestamp', 'X-Core-Signature', 'X-Core-Delivery', 'User-Agent'].map(
        (id) => rule(id, 'as documented', ...asDocumented),
      ),
      rule('event', "the event's name", bodyFields, ...asDocumented),
      rule(
        'project_id',
        '12 characters',
        bodyFields,
        testsIn('domain/keys')('keys › give tenants ids of 12 small letters and digits'),
      ),
      rule('sent_at', 'start of this attempt, UTC with milliseconds', anotherAttempt, ...asDocumented),
      rule(
        'delivery_id',
        'equal to X-Core-Delivery, the same for all attempts',
        anotherAttempt,
        ...asDocumented,
        testsIn('whole/chaos')(
          'a stack whose processes are killed under load › loses nothing, doubles nothing, ends every item and delivers every webhook',
        ),
      ),
      rule(
        'item',
        'id, status, processing, and summary when there is one; the moderation, with or without it',
        testsIn('domain/webhook')(
          'requestBody › has the moderation behind the processing, or behind the summary when there is one',
        ),
        testsIn('db/analysis/results')('a re-analysis that fails › keeps the moderation of the content that there is'),
        withSummary,
        ...asDocumented,
        events('events › carry the summary that the transaction leaves'),
      ),
    ],
  },
  {
    title: 'Webhooks: signature',
    rules: [
      rule('1', 'over the raw bytes of the body', ...asDocumented, helperRefuses, inPython),
      rule('2', 'timestamp, dot, body', signed, helperRefuses, inPython),
      rule('3', 'HMAC-SHA256 with the whole secret, lowercase hex', signed, ...asDocumented, helperRefuses, inPython),
      rule('4', 'sha256= before it', signed, helperTakes, helperRefuses, inPython),
      rule(
        '5',
        'made anew for each attempt; older than 300 s is refused',
        anotherAttempt,
        workflow('the workflow delivery › ends with the first 2xx, signed with the secret of that moment'),
        helperRefuses,
        helperTakes,
        inPython,
      ),
    ],
  },
  {
    title: 'Webhooks: response and retries',
    rules: [
      rule(
        '1',
        'any 2xx within 10 s; its body is discarded',
        codes('a failed attempt › is a timeout after the documented 10 seconds, not before'),
        post('postOnce › takes %i for success'),
        post('postOnce › stops at the deadline when the body of a 2xx drips'),
        post('postOnce › takes a 2xx with an endless body, reading no more than the cap of it'),
      ),
      rule(
        '2',
        'redirects are not followed; all else fails',
        post('postOnce › reports %i as redirect and follows nothing'),
        post('postOnce › reports %i as http_status'),
        post('postOnce › reports a receiver that %s as connection, after one request'),
      ),
      rule(
        '3',
        'six more attempts after 1 min, 5 min, 30 min, 2 h, 6 h, 12 h, then failed',
        schedule,
        domain('the schedule › is seven attempts over 20 hours and 36 minutes'),
      ),
      rule(
        '4',
        'at least once; repeats have the same delivery_id',
        lane('first attempts › of a worker that died are made again when its lease ends, under the same id'),
      ),
      rule(
        '5',
        'failures in a row hold first attempts until the next retry without spending any; a 2xx ends it',
        breaker(
          'the breaker of a webhook › holds first attempts after five failures in a row until the nearest retry, and spends none',
        ),
        breaker('the breaker of a webhook › lets one at a time through when the hold ends, and all after a 2xx'),
      ),
      rule(
        '6',
        'past 50,000 undelivered nothing is queued until the backlog is markedly shorter',
        recorded(
          'reviewBacklogs › drops new events past the limit, and takes them again once the backlog is markedly shorter',
        ),
        recorded(
          'the room that a long backlog leaves › is kept by events that come all at once: not one more than the limit is queued',
        ),
      ),
      rule(
        'timeout',
        'no answer within 10 s',
        failsWith('takes the request and never answers'),
        codes('a failed attempt › is a timeout after the documented 10 seconds, not before'),
      ),
      rule('connection', 'could not connect', failsWith('refuses the connection')),
      rule('tls', 'no secure connection', failsWith('has an expired certificate'), connect('TLS › refuses %s')),
      rule('dns', 'the name does not resolve', failsWith('has a name that does not resolve')),
      rule('http_status', 'other than 2xx', failsWith('answers 503'), post('postOnce › reports %i as http_status')),
      rule(
        'redirect',
        'a redirect',
        failsWith('sends on to an internal address'),
        lane('a failed first attempt › counts a redirect and follows none'),
      ),
      rule(
        'forbidden_address',
        'an internal address, or one written invalidly',
        failsWith('leads inside'),
        saved(
          'an address that is reached › is refused by the same rules, however it came into the table, with one code and one phrase for all',
        ),
        codes('a refusal › is the same whether the internal port is open, closed or silent'),
      ),
      rule(
        'secret rotation',
        'the next request is signed with the new one, also of what was queued; one signature',
        anotherAttempt,
        lane('first attempts › use the secret of the moment, also for deliveries that were already queued'),
        cabinet('webhooks › get a new secret by rotation'),
        journal('readDelivery › gives the attempts and the body that was sent'),
      ),
    ],
  },
];
