/** Limits of the browser tag. */
import { rule, testsIn, type Chapter } from '../../rule.ts';
import { collect, events, refusals } from './refs.ts';

const commands = testsIn('tag/commands');
const values = testsIn('tag/values');
const server = testsIn('tag/server');
const outbox = testsIn('tag/outbox');
const sending = testsIn('tag/sending');
const recording = testsIn('tag/recording');
const goals = testsIn('api/cabinet/goals');
const frequency = (title: string) => testsIn('domain/visits/limits')(`robots by frequency › ${title}`);
const recordings = testsIn('api/collect/recordings');
const user = (...cases: string[]) => values("svc('user') › %s", ...cases);
const readByServer = (...cases: string[]) =>
  testsIn('domain/people/tagUser')('readTagUser › leaves %s out when it is %.40j, and sends the rest', ...cases);
const cutByServer = testsIn('domain/people/tagUser')(
  'readTagUser › cuts surplus children, interests and the ends of over-long texts, by characters',
);
const cut = values("svc('user') › cuts over-long texts and surplus interests");
const atTheLimits = server('the tag and /collect › the values at the limits of the document are taken whole');

export const tagChapters: Chapter[] = [
  {
    title: 'Analytics: limits of the browser tag',
    rules: [
      rule(
        'goals per site',
        '200',
        goals('goals › are 200 by default'),
        goals('goals › are as many as the site may have, however many are put at once; those there can be replaced'),
      ),
      rule(
        'goal code',
        'a-z, 0-9, _ and -, 64 characters',
        commands('commands › that are wrong send nothing and harm nothing'),
        atTheLimits,
        events('a single bad event › is invalid_event: %s', 'a goal with a bad code', 'a goal with a long code'),
        goals('goals › answer 404 for an unknown site and 400 to what is no code'),
      ),
      rule(
        'params of goal and event',
        '2 KB each',
        commands('limits › params over 2 KB stay behind, the goal and the event count'),
        values('params › over their size, too deep or not JSON are not sent'),
        atTheLimits,
      ),
      rule(
        'user_id',
        '191 characters',
        user('too long contacts'),
        atTheLimits,
        readByServer("['user_id', 'u'.repeat(192)]"),
      ),
      rule(
        'email, phone, city',
        '254, 32, 128 characters',
        user('too long contacts'),
        cut,
        atTheLimits,
        readByServer("['email', `${'a'.repeat(250)}@b.ru`]", "['phone', '1'.repeat(33)]"),
        cutByServer,
      ),
      rule(
        'age',
        '5 to 100',
        user('wrong values are left out', 'the others are sent', 'ages at the limits'),
        readByServer("['age', 4]", "['age', 101]"),
      ),
      rule(
        'children',
        '10, of 0 to 17',
        user('surplus children', 'wrong children among right ones', 'ages at the limits'),
        cutByServer,
        readByServer("['children', [18]]"),
      ),
      rule('interests', '50 of 200 characters', cut, cutByServer),
      rule(
        'params of user',
        '4 KB; larger are not sent',
        user('params over 4 KB'),
        atTheLimits,
        commands('limits › params over 2 KB stay behind, the goal and the event count'),
      ),
      rule(
        'batch',
        '50 events and 64 KB',
        commands('limits › no batch has over 50 events or 64 KB, and nothing is lost'),
        values(
          'batches › of any events have at most 50, at most 60,000 bytes, one visitor, and leave the rest in order',
        ),
        refusals('422 › over 50 events: too_many, whatever is in them'),
        refusals('413 › 64 KB are read, one byte more is not'),
      ),
      rule(
        'chunk of a recording',
        '1,024 KB compressed; larger is not sent',
        recording('a recording › of a page that is over 1,024 KB compressed is not sent'),
        recordings('a chunk is refused › 413 when the compressed part is over 1,024 KB, and not at it'),
      ),
      rule(
        'requests of a visitor',
        '60 in 10 seconds',
        frequency('60 requests in 10 seconds are a person’s; of more the surplus is dropped and the visit marked'),
        outbox('batches › are at most 40 in ten seconds, however many events come'),
      ),
      rule(
        'events of a visitor',
        '1,000 an hour',
        frequency('1,000 events in an hour are a person’s, by their own time; of more the surplus is dropped'),
      ),
      rule(
        'late events',
        'dropped after 24 hours',
        outbox('after a failure › what is over 24 hours old is dropped'),
        sending('what cannot be sent › for over a day is dropped'),
        collect('the time of an event › may be 24 hours ago and not more, by our clock'),
      ),
      rule(
        'over the limits',
        'a robot with the reason Frequency, the surplus dropped',
        frequency('60 requests in 10 seconds are a person’s; of more the surplus is dropped and the visit marked'),
        frequency('a flood lets through what the limit allows, and all that follows is a robot’s'),
      ),
      rule(
        'cut',
        'surplus children and interests, over-long texts where the rest still says the same (city, interests, names of events and products); a cut user_id, email, phone, id of an order or a product would be another’s, so it is left out whole (docs/decisions/tag.md)',
        user('surplus children'),
        cut,
        user('too long contacts'),
        values(
          'orders › are cut where the rest still says the same: a product without its over-long id is known by its name',
        ),
        commands('limits › a long name of an event is cut, that of a goal is none'),
      ),
      rule(
        'left out',
        'wrong fields of user, while the others are sent',
        user('wrong values are left out', 'the others are sent'),
      ),
    ],
  },
];
