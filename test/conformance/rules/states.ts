/** The service, and the state changes of its objects. */
import { rule, testsIn, type Chapter } from '../rule.ts';

const items = testsIn('api/content/items');
const write = testsIn('db/items/write');
const events = testsIn('db/analysis/steps');
const workflow = testsIn('workflows/item');
const media = testsIn('workflows/itemMedia');
const webhook = testsIn('domain/webhook');
const volume = testsIn('db/waiting');
const orders = testsIn('api/content/orders');
const plan = testsIn('domain/plan');
const softDelete = items('DELETE /items/{id} › deletes softly, twice; PATCH leaves it deleted and PUT lifts it');
const eventOfStatus = webhook('eventOfStatus › %s: %s');

export const stateChapters: Chapter[] = [
  {
    title: 'What the service does',
    rules: [
      rule(
        '1',
        'objects of five types; media from https addresses; five steps',
        media('media › are prepared, heard and seen, and the item is ready'),
        write('a new item › of type %s is queued with all five steps queued'),
        testsIn('outgoing/url')('checkMediaUrl › takes %s'),
      ),
      rule(
        '2',
        'results are read per object',
        items('GET /items/{id} › has the documented keys, and the included parts only when asked for'),
      ),
      rule(
        '3',
        'events, orders, profiles, links and deletions of users',
        testsIn('api/content/events')('POST /events › takes an event with all that it tells'),
        orders('POST /orders › takes an order, which becomes an event for each line'),
        testsIn('api/content/profile')(
          'POST /users/profile › stores what is sent and names the changed fields in the order of the table',
        ),
        testsIn('api/examples')('the example of › %s is answered as described', 'linkUser', 'deleteUser'),
      ),
      rule(
        '4',
        'a signed request when the analysis ends',
        testsIn('delivery/firstLane')(
          'first attempts › go out once, as documented byte for byte, and into the journal',
        ),
      ),
      rule(
        '5',
        'JSON in UTF-8, times with their zone, X-Request-ID everywhere',
        testsIn('api/http/transport')('X-Request-ID › is there for %s'),
        testsIn('domain/dateTime')('parseDateTime › %s'),
      ),
      rule(
        '6',
        'unknown fields are unknown_field',
        testsIn('api/http/fields')('a PUT body that is refused › %s', 'an unknown field'),
        testsIn('api/content/profile')('POST /users/profile › refuses a wrong value (case %#)', 'nickname'),
      ),
      rule(
        '7',
        'deletion is soft; results and events stay',
        softDelete,
        write('deletion › is lifted by PUT, and a finished analysis stays as it is'),
        testsIn('api/content/events')('POST /events › takes events of deleted and unavailable items'),
      ),
    ],
  },
  {
    title: 'States and transitions',
    rules: [
      rule(
        'object statuses',
        'six, made of the steps',
        testsIn('domain/steps')('statusFromSteps › follows the rules for every combination of step states'),
      ),
      rule(
        'step states',
        'seven',
        testsIn('domain/steps')(
          'statesOf › shows a queued step as deferred exactly when it waits, directly or not, for a deferred one',
        ),
        volume(
          'what waits › keeps its status and time, and is left alone by the reconciler and the depth of the queue',
        ),
      ),
      rule(
        'medium states',
        'new, ready, failed',
        testsIn('db/items/read')('shows a failed medium where it stands now, and forgets it when it leaves'),
      ),
      rule(
        'order statuses',
        'created, cancelled',
        orders('POST /orders › cancels: the whole contribution goes, and comes back with a new composition'),
      ),
      rule(
        '→ ready',
        'all steps done: item.processed',
        workflow('the workflow item › takes a text from queued to ready'),
        eventOfStatus,
      ),
      rule(
        '→ partial',
        'some steps failed: item.failed',
        media('media › of which one is bad make the item partial, with one event and the place of the bad one'),
        eventOfStatus,
      ),
      rule(
        '→ failed',
        'no vectors: item.failed',
        workflow('the workflow item › fails an item with nothing to embed'),
        events('events › say failed for an item without vectors'),
      ),
      rule('DELETE', 'deleted, again 200', softDelete),
      rule(
        'deleted, PUT',
        'lifts the deletion',
        softDelete,
        write('deletion › is lifted by PUT, which resumes what was unfinished and nothing else'),
      ),
      rule('deleted, PATCH', 'stays deleted', softDelete, write('deletion › stands against PATCH, which still writes')),
      rule(
        'a write of text',
        'summary and vectors anew',
        write('a write of › %s outdates summary and embedding'),
        workflow('the workflow item › recomputes only what a write outdated'),
        testsIn('db/items/applyOperations')(
          'an item that came with an order › is analysed when a PATCH changes its text, and has no webhook of that',
        ),
        testsIn('db/analysis/results')('new content › (%s) leaves nothing of what was found in the old one'),
        testsIn('db/analysis/results')(
          'a re-analysis that fails › (%s) leaves no summary, no chunks and the status of that',
        ),
      ),
      rule(
        'a write of a medium',
        'that medium and what depends on it anew',
        write('media › with another %s are computed anew, the others are not'),
      ),
      rule(
        'a write of other fields',
        'no analysis, no event',
        write('a write of › %s alone outdates nothing and gives no event'),
        testsIn('workflows/itemWrites')('a write during the analysis › of other fields disturbs nothing'),
      ),
      rule(
        'reprocess',
        'the named steps with what depends on them; without names everything, preparation included',
        plan('outdatedByRequest › takes the named steps with all that depends on them, for each of the 32 subsets'),
        plan('outdatedByRequest › takes everything, media preparation included, when no steps are named'),
      ),
      rule(
        'volume exhausted',
        'steps wait, nothing else does; they go on by themselves',
        volume('what waits › goes on when the volume is raised, oldest first and no more than fits'),
        volume('what waits › goes on in a new month'),
      ),
      rule(
        'order again',
        'replaces the composition',
        orders('POST /orders › replaces the composition, and keeps the time of the order'),
        testsIn('db/orders/expand')(
          'expandRequest › adds new lines, takes vanished ones away, changes changed ones and touches no other',
        ),
      ),
      rule(
        'order cancelled',
        'takes its whole contribution away',
        orders('POST /orders › cancels: the whole contribution goes, and comes back with a new composition'),
      ),
      rule(
        '201 or 200',
        'new or known; a new one is queued with all steps queued',
        items('PUT /items/{id} › creates with 201, then replaces with 200'),
        write('a new item › of type %s is queued with all five steps queued'),
      ),
    ],
  },
];
