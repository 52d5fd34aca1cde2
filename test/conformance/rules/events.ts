/** Interaction events and orders. */
import { rule, testsIn, type Chapter } from '../rule.ts';

const events = testsIn('api/content/events');
const modes = testsIn('db/events/modes');
const people = testsIn('db/events/people');
const orders = testsIn('api/content/orders');
const lines = testsIn('domain/orders');
const examples = testsIn('api/examples');

const POST = 'POST /events › ';
const ORDER = 'POST /orders › ';
const BATCH = 'POST /orders/batch › ';
const whole = (...cases: string[]) => events('what makes the whole request 422 › %s', ...cases);
const ownValue = (...cases: string[]) => events('a rejected event › has %s, and the others are taken', ...cases);
const refusedOrder = (...cases: string[]) => orders(`${ORDER}refuses %s`, ...cases);

export const eventChapters: Chapter[] = [
  {
    title: 'Identifiers of end users',
    rules: [
      rule(
        'user_id',
        '191 Unicode characters',
        testsIn('api/content/profile')('POST /users/profile › refuses a wrong user (case %#)', 'user.user_id'),
        testsIn('api/content/profile')('GET /users/profile › takes any characters of a user_id'),
      ),
      rule(
        'anonymous_id',
        '191 printable ASCII characters',
        testsIn('api/content/profile')('POST /users/profile › refuses a wrong user (case %#)', 'user.anonymous_id'),
      ),
      rule(
        'fingerprint_uuid',
        'a UUID, used only where the project has fingerprints',
        people('a login on a device › is not recorded in a project without fingerprints, nor by rejected events'),
        testsIn('api/content/profile')('POST /users/profile › refuses a wrong user (case %#)', 'user.fingerprint_uuid'),
      ),
      rule(
        'at least one',
        'a user without any is none',
        events('a rejected event › has no user that counts'),
        testsIn('api/content/profile')('POST /users/profile › refuses a wrong user (case %#)'),
      ),
    ],
  },
  {
    title: 'Events',
    rules: [
      rule(
        'id',
        'required, 64 printable ASCII characters; a repeat is a duplicate',
        whole("['a missing field', { id: undefined }"),
        ownValue('a long id', 'an empty id', 'an id outside ASCII'),
        events('a repeat › of an id is a duplicate, within a request and across requests, whatever else it says'),
      ),
      rule(
        'type',
        'required, a code of the project',
        whole('a missing type'),
        events('a rejected event › has a type that is unknown or switched off, from the moment it is'),
      ),
      rule(
        'item',
        'required, up to 191, of the catalogue',
        whole('a missing item'),
        ownValue('a long item'),
        events('a rejected event › is of an item that is not in the catalogue'),
      ),
      rule(
        'user',
        'required',
        whole('a missing user'),
        events('a rejected event › has no user that counts'),
        events('a rejected event › has a user of a bad form'),
      ),
      rule(
        'value',
        'within its kind: percent, seconds, number, state 1 or 0',
        events("a rejected event › has a value out of its kind's range"),
      ),
      rule(
        'occurred_at',
        'receipt by default and when over 5 minutes ahead; too_old past 730 days',
        events("the time of an event › is the receipt's when it is absent or more than 5 minutes ahead"),
        events('a rejected event › is older than 730 days'),
        ownValue('a time without a zone'),
      ),
      rule(
        'recommendation_id',
        'kept with the event',
        events(`${POST}takes an event with all that it tells`),
        events('a rejected event › is not made by a long recommendation_id, for which the API knows no limit'),
      ),
      rule(
        'surface',
        'up to 16 characters',
        events(`${POST}takes an event with all that it tells`),
        ownValue('a long surface'),
      ),
      rule('position', '0 to 65,535', events('a rejected event › has a position, quantity or price out of range')),
      rule(
        'order_id',
        'up to 64, kept with the event',
        events(`${POST}takes an event with all that it tells`),
        ownValue('a long order_id', 'an empty order_id', 'an order_id outside ASCII'),
      ),
      rule('quantity', 'at least 0', events('a rejected event › has a position, quantity or price out of range')),
      rule('price', 'at least 0', events('a rejected event › has a position, quantity or price out of range')),
      rule(
        'EventRejection',
        'index, id and one of eight codes',
        events(`${POST}names what it rejects by its place, and takes the rest`),
        events('a rejected event › belongs to an order that POST /orders keeps'),
      ),
      rule(
        'EventsResponse',
        'accepted, duplicates, rejected',
        events(`${POST}names what it rejects by its place, and takes the rest`),
      ),
      rule(
        'EventTypeOut',
        'code, title, mode, weight, value, windows, flags',
        events('GET /event-types › shows the types of a new project by code, and nothing that is ours'),
        modes('max › is the largest value, in whichever order it arrives, and when that was'),
        modes('state › is what happened last, in whichever order it arrives'),
        modes('a window › makes a second fact a duplicate, before or after the first'),
        modes('a window › holds across a link, before the rows of the device are rewritten and after'),
      ),
    ],
  },
  {
    title: 'Orders',
    rules: [
      rule(
        'order_id',
        'required, 64 printable ASCII characters; a repeat replaces',
        refusedOrder('no order_id', 'a long order_id', 'an order_id beyond ASCII'),
        orders(`${ORDER}replaces the composition, and keeps the time of the order`),
      ),
      rule('user', 'required', refusedOrder('no user', 'an empty user')),
      rule(
        'occurred_at',
        "receipt, and the order's own time on a repeat",
        orders(`${ORDER}replaces the composition, and keeps the time of the order`),
        orders(`${ORDER}knows times: a far future is the receipt, two years and more are too old`),
      ),
      rule(
        'status',
        'created or cancelled',
        refusedOrder('an unknown status'),
        orders(`${ORDER}cancels: the whole contribution goes, and comes back with a new composition`),
      ),
      rule(
        'items',
        'up to 200 lines; none needed when cancelled',
        refusedOrder('no items', '201 lines'),
        orders(`${ORDER}takes 200 lines`),
        orders(`${ORDER}keeps a cancelled order that nobody knew, and does not look at its lines`),
      ),
      rule(
        'OrderLineIn',
        'item, quantity of 1 by default, price, title and properties of a product outside the catalogue',
        refusedOrder('a line without item', 'a line with a long item', 'a long title', 'large properties'),
        lines('judgeLines › takes %j'),
        lines('judgeLines › rejects %j, and makes no product of it'),
        orders(
          `${ORDER}makes an unavailable item of a product outside the catalogue, before it answers, and never analyses it`,
        ),
      ),
      rule(
        'OrderLineRejection',
        'unknown_item or invalid_value, by its place',
        orders(`${ORDER}rejects single lines and takes the others`),
      ),
      rule(
        'OrderResponse',
        'order_id, accepted, rejected',
        orders(`${ORDER}rejects single lines and takes the others`),
        examples('the example of › %s is answered as described', 'postOrder'),
      ),
      rule('OrdersBatchResult', 'the same by order, or its error', orders(`${BATCH}handles orders independently`)),
    ],
  },
  {
    title: 'Endpoints: events and orders',
    rules: [
      rule(
        'GET /event-types',
        "the project's types",
        events('GET /event-types › shows the types of a new project by code, and nothing that is ours'),
      ),
      rule(
        'POST /events',
        '202, up to 1,000; 413, 422',
        events(`${POST}takes none and a thousand, and answers 413 to one more`),
        events('what makes the whole request 422 › a body without events, and events that are none'),
      ),
      rule(
        'POST /orders',
        '202; 413, 422',
        orders(`${ORDER}takes an order, which becomes an event for each line`),
        refusedOrder('an unknown field'),
      ),
      rule(
        'POST /orders/batch',
        '202, independently, history included; 413, 422',
        orders(`${BATCH}handles orders independently`),
        orders(`${BATCH}refuses more than 500 orders or 5,000 lines with 413`),
        orders(`${BATCH}refuses the envelope %j`),
      ),
      rule(
        'rule 1',
        'a repeated id is counted and changes nothing, after a deletion of its user as well',
        events('a repeat › of an id is a duplicate, within a request and across requests, whatever else it says'),
        testsIn('db/people/delete')(
          'purgeChunk › keeps the ids of facts as hashes: what is sent again changes nothing and makes nobody known',
        ),
      ),
      rule(
        'rule 2',
        'impressions are added up, not stored',
        events('impressions › are counted by day, item, surface and position bucket, and leave nobody behind'),
      ),
      rule(
        'rule 3',
        'events of deleted and unavailable objects are taken',
        events(`${POST}takes events of deleted and unavailable items`),
      ),
      rule(
        'rule 4',
        'rejected events fail nothing else, whatever value of theirs is wrong',
        events(`${POST}names what it rejects by its place, and takes the rest`),
        ownValue('a long surface', 'an item with a NUL'),
      ),
      rule(
        'rule 5',
        'a line is an event of the purchase type with an id made of order and item; equal items are summed',
        lines('lineEventId › is the documented digest'),
        orders(`${ORDER}sums lines of one item and counts them as sent`),
        orders(`${ORDER}takes an order, which becomes an event for each line`),
      ),
      rule(
        'rule 6',
        'a product with a title becomes an unavailable object, one without is unknown_item',
        orders(
          `${ORDER}makes an unavailable item of a product outside the catalogue, before it answers, and never analyses it`,
        ),
        orders(`${ORDER}rejects single lines and takes the others`),
      ),
      rule('rule 7', 'no_purchase_type', orders(`${ORDER}answers no_purchase_type when no type has %s`)),
    ],
  },
];
