/** Decisions on purchases, sources and identity that complete the document of the analytics API. */
import { testsIn, type Chapter, rule } from '../../rule.ts';
import { facts, orders } from './refs.ts';

const classify = testsIn('ingest/sources/classify');
const ingest = testsIn('ingest/ingest');
const goals = testsIn('domain/visits/goals');
const formerUser = testsIn('db/siteFacts/formerUser');
const sites = testsIn('api/cabinet/sites');
const retention = testsIn('db/siteRetention');
const identity = testsIn('api/collect/identity');
const proof = testsIn('db/sitePeople/proof');

export const factChapters: readonly Chapter[] = [
  {
    title: 'Analytics: decisions on purchases, sources and identity',
    rules: [
      rule(
        'a purchase from tag and API',
        'counts once; the word of the server replaces that of the tag, what only the tag knows stays',
        orders('an order counts once › from the tag and from the API, whichever comes first'),
        orders(
          'an order counts once › and takes the amount of a server that does not know the visitor, in the visit that the tag told',
        ),
        facts('orders › count once whichever way they come: what the server says replaces what the tag said'),
        facts('orders › have what only the tag knows, when the server was first'),
      ),
      rule(
        'an order of a former user',
        'belongs to the visit in which the user bought, whoever used the browser later',
        formerUser(
          'an order of a user whose browser another user used later › is of the visit in which the user bought',
        ),
        formerUser(
          'an order of a user whose browser another user used later › is of no visit that began after the other one came',
        ),
      ),
      rule(
        'ignored_referrers, hosts of payment and sign-in',
        'continue the visit and leave it its source',
        classify(
          'classifySource › takes what a site ignores, and all below it, for a page that the visitor only passed',
        ),
        ingest('the ingest › keeps the source of a visitor who went away to pay or to sign in'),
        sites('sites › ignore referrers that they name, none at first'),
      ),
      rule(
        'URL goals',
        'compare decoded addresses; eq ignores a final slash, and the query unless its value has one',
        goals('goals are reached by › pages whose decoded address %s %s: %s'),
        goals('goals are reached by › pages whose address %s %s: %s'),
      ),
      rule(
        'attribution',
        'looks at all visits that the site keeps',
        retention('removal of old rows › keeps visits as long as the site does, and 181 days at least'),
        retention('removal of old rows › leaves an order of 200 days ago the visit of the day before it'),
      ),
      rule(
        'identity_secret, user_hash',
        'the lower-case hex HMAC-SHA256 of the user_id; with a secret only proven links read or replace what the server told',
        identity('a user_id › is proven by its HMAC-SHA256 in lower-case hex, and by nothing else'),
        identity('a user_id › needs no proof where the site has no secret'),
        proof('a link that is not proven › reads nothing that the server told, and overwrites nothing of it'),
        proof(
          'a link that is proven › reads and writes what is of the user, and gives it what the visitor told before',
        ),
      ),
      rule(
        'require_user_hash',
        'links that are not proven are not made',
        identity('a user_id › is left out without a proof where the site requires one'),
      ),
    ],
  },
];
