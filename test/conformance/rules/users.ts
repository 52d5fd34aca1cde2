/** Profiles, links and deletions of users. */
import { rule, testsIn, type Chapter } from '../rule.ts';

const profile = testsIn('api/content/profile');
const batch = testsIn('api/content/profileBatch');
const link = testsIn('db/people/link');
const users = testsIn('api/content/users');
const deleted = testsIn('db/people/delete');
const examples = testsIn('api/examples');

const WRITE = 'POST /users/profile › ';
const refused = (...cases: string[]) => profile(`${WRITE}refuses a wrong value (case %#)`, ...cases);
const stores = profile(`${WRITE}stores what is sent and names the changed fields in the order of the table`);
const atLimit = (...cases: string[]) => profile(`${WRITE}takes what is at the limit (case %#)`, ...cases);

export const userChapters: Chapter[] = [
  {
    title: 'Profile',
    rules: [
      rule(
        'write',
        'sent fields are replaced, null clears, unsent ones stay',
        profile(`${WRITE}leaves unsent fields, clears with null, and notes the time of what changed only`),
      ),
      rule(
        'user',
        'required; without user_id the anonymous profile is written',
        profile(`${WRITE}refuses a wrong user (case %#)`),
        profile("anonymous profiles › are read when the device has one, else its user's"),
      ),
      rule('gender', 'male or female', refused('gender')),
      rule('birth_year', '1900 to this year', refused('birth_year')),
      rule(
        'age',
        '0 to 120, instead of birth_year',
        refused('age'),
        profile(`${WRITE}turns %j into the birth year %p`),
      ),
      rule('interests', '50 of 200 characters', refused('interests'), atLimit('interests')),
      rule('excluded_interests', '50', refused('excluded_interests')),
      rule('followed_authors', '500', refused('followed_authors')),
      rule('hidden_authors', '500', refused('hidden_authors'), atLimit('hidden_authors')),
      rule(
        'city',
        '100 characters, stored lowercase without extra spaces',
        refused('city'),
        profile(`${WRITE}stores the city %j as %j`),
      ),
      rule('country', '100 characters', refused('country'), profile(`${WRITE}keeps a country as it is given`)),
      rule(
        'personalization',
        'false: not personalised',
        refused('personalization'),
        profile(`${WRITE}takes null back to personalizing`),
      ),
      rule(
        'attributes',
        '16 KB, no personal data at any depth',
        refused('attributes'),
        profile(
          `${WRITE}refuses the attribute %s at any depth`,
          'email',
          'phone',
          'first_name',
          'last_name',
          'middle_name',
          'address',
          'birth_date',
          'passport',
        ),
        atLimit('attributes'),
      ),
      rule(
        'ProfileResponse',
        'whose profile, and the fields whose value changed',
        stores,
        profile(`${WRITE}takes nothing said for nothing changed`),
      ),
      rule(
        'ProfileBatchResult',
        'index, ok, error',
        batch('POST /users/profile/batch › takes each profile by itself, with faults relative to it'),
      ),
      rule(
        'StoredProfile',
        "the fields as stored, with the time of each one's last change",
        stores,
        examples('the example of › %s is answered as described', 'getProfile'),
      ),
      rule(
        'UserLinkRequest, UserLinkResponse',
        'user_id with a device; merged, events_moved',
        users(
          "POST /users/link › moves what the device did, and hands the rewriting to the relay under the request's id",
        ),
        users('POST /users/link › takes any user_id of up to 191 characters'),
        link('linkUser › counts what was stored of the device, impressions not, and opens a job'),
      ),
      rule(
        'UserDeleteResponse',
        'false: nobody knew the user',
        deleted('deleteUser › does not know whom nobody has seen, and makes nobody'),
        examples('the example of › %s is answered as described', 'deleteUser'),
      ),
      rule('HealthResponse', 'ok or degraded', examples('the example of › %s is answered as described', 'getHealth')),
    ],
  },
  {
    title: 'Endpoints: users',
    rules: [
      rule(
        'POST /users/link',
        '200; 413, 422',
        users(
          "POST /users/link › moves what the device did, and hands the rewriting to the relay under the request's id",
        ),
        users('POST /users/link › refuses a wrong body (case %#)'),
      ),
      rule(
        'GET /users/profile',
        '200, or 404 for nobody',
        profile('GET /users/profile › creates nobody'),
        profile('GET /users/profile › answers 400 to a wrong query (case %#)'),
      ),
      rule('POST /users/profile', '200; 413, 422', stores, refused()),
      rule(
        'POST /users/profile/batch',
        'up to 500, each by itself; 413, 422',
        batch('POST /users/profile/batch › takes 500 profiles in a handful of statements, and refuses 501'),
        batch('POST /users/profile/batch › takes each profile by itself, with faults relative to it'),
        batch('POST /users/profile/batch › refuses the envelope %j'),
      ),
      rule(
        'POST /users/delete',
        '200; 413, 422',
        users('POST /users/delete › makes the user unreadable at once, and hands the purge to the relay'),
        users('POST /users/delete › refuses a wrong user (case %#)'),
      ),
      rule(
        'rule 1',
        "a link moves history and profile, fills only what is empty, and never takes another user's",
        link('linkUser › shows the history under the user at once, and gives him what comes later'),
        link('linkUser › gives the profile what it has not said, with its times, and moves it'),
        link("linkUser › leaves another user's device alone"),
        testsIn('db/people/history')(
          'moveHistoryChunk › moves everything, at most so many rows at a time, and closes the job with the last pass',
        ),
        link(
          "linkUser by an anonymous_id that was never seen › moves what its fingerprint did, and makes both devices the user's",
        ),
        link('linkUser by fingerprint › takes the device when no other user was seen with it'),
        link('linkUser by fingerprint › does not take a disputed one'),
        link('linkUser by fingerprint › is a login only beside an anonymous_id, and disputes the fingerprint'),
      ),
      rule(
        'rule 2',
        'reading creates and recognises nobody',
        profile('GET /users/profile › creates nobody'),
        profile(
          'anonymous profiles › belong to fingerprints too where the project has them, and reading recognises nobody',
        ),
      ),
      rule('rule 3', 'actions are events: the profile takes none', refused('nickname')),
      rule(
        'rule 4',
        'a deletion takes away everything about the user at once; counts remain',
        users('POST /users/delete › lets the same identifiers begin anew'),
        users('POST /users/delete › deletes whatever any of its identifiers names'),
        deleted('deleteUser › makes the person unreachable at once, found by %s'),
        deleted('deleteUser › begins a new generation with the next event, which knows nothing of the one before'),
        deleted('purgeChunk › removes everything of the person and nothing of others, and leaves the sums'),
      ),
    ],
  },
];
