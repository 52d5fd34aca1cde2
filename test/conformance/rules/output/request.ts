/** Paths and the common request of output. */
import { rule, testsIn, type Chapter } from '../../rule.ts';
import * as refs from './refs.ts';
import {
  arranging,
  fallback,
  feed,
  judged,
  newcomers,
  next,
  pages,
  popular,
  requests,
  similar,
  surfaces,
  together,
} from './refs.ts';

const mayShow = testsIn('domain/output/mayShow');
const filters = testsIn('domain/output/filters');
const example = (...cases: string[]) =>
  testsIn('api/examples')('the example of › %s is answered as described', ...cases);
const feedByModel = testsIn('output/feed');

export const requestChapters: readonly Chapter[] = [
  {
    title: 'Output: paths',
    rules: [
      rule(
        'all of them',
        'POST under /content/api/v1, with the keys, errors and headers of the content API',
        example('recommendFeed', 'recommendSimilar', 'recommendNext', 'recommendTogether', 'recommendPopular'),
        example('search', 'searchSuggest'),
        testsIn('api/tenantIsolation')('the list of requests › has every operation of the content and analytics APIs'),
      ),
      rule(
        'unknown fields',
        'are refused, as everywhere',
        refs.searched('POST /search › refuses a query that is too long and fields that it does not know'),
        feed('refuses what is out of bounds', "['item', 'tram-1']"),
        popular('refuses what it does not know'),
      ),
      rule(
        'feed',
        'what this person should see',
        feed('goes by an event that was answered just now, and by the one that takes it back'),
        feed('goes by interests and followed authors, and by the device before a link is finished'),
        feedByModel(
          'a feed by a model › is ranked by the one that was published last, and by the one before while its file is broken',
        ),
      ),
      rule(
        'similar',
        'what is like this object',
        similar('answers what is near by content, the nearest first, without the subject'),
      ),
      rule(
        'next',
        'after an object, or after a session of up to 50, oldest first',
        next('answers what is like the end of a session, without the session itself'),
        next('answers by what came after the item in other sessions'),
        next('wants one of item and items, and not both'),
      ),
      rule(
        'together',
        'bought or used with a cart of 1–20',
        together('answers what is ordered with the cart, with the item that says most, then what is like it'),
        together('is 404 for what never existed, and answers for what was deleted'),
      ),
      rule(
        'popular',
        'by period, kind and region of profiles',
        popular('answers what most people touched within the period, then what is new'),
        popular('answers what rises before what has most'),
        popular('answers what is popular in a city or country before what is elsewhere'),
        popular('refuses what it does not know'),
      ),
      rule(
        'search',
        'a query of up to 500 characters; an empty one browses',
        refs.searched('POST /search › answers what matches, with its total, facets and marked words'),
        refs.searched('POST /search › refuses a query that is too long and fields that it does not know'),
        refs.queries('what a query finds › is everything but what is not wanted, for a query without words'),
      ),
      rule(
        'search/suggest',
        'completions, at most limit',
        refs.suggestions('suggestions › are words, tags, authors and titles that go on as the query does'),
        refs.suggestions('suggestions › are as many as asked for at most'),
      ),
      rule(
        'limit of search/suggest',
        '1–20, 8 where nothing is said',
        requests('has 8 suggestions where it does not say how many, and up to 20'),
      ),
    ],
  },
  {
    title: 'Output: the common request',
    rules: [
      rule(
        'user',
        'may be absent; somebody unknown is cold and is not created',
        feed('answers somebody unknown, without creating anybody, and without a user at all'),
        refs.person(
          'the person of a request › is whom the first identifier names, and somebody new when nobody has it',
        ),
        judged,
      ),
      rule(
        'surface',
        "chooses the surface's settings and experiment",
        surfaces('a request at a surface › means what the surface says where it says nothing itself'),
        refs.experiments('an experiment › is on between its dates only, and only at its surface'),
      ),
      rule('length of surface', 'up to 16 characters', requests('may have so many %s', "'characters of a surface'")),
      rule(
        'limit',
        '1–100; no more than 20 where nothing is said',
        judged,
        refs.tried,
        refs.preview('a preview › refuses %s %j', "{ item: 't-0', limit: 0 }"),
        surfaces('surfaces › refuse %j', '{ defaults: { limit: 101 } }'),
      ),
      rule('limit, where nothing is said', 'no fewer than 20', requests('has 20 items where it does not say how many')),
      rule(
        'cursor',
        'continues the same recommendation_id: positions go on, nothing repeats; 400 with another body',
        similar('goes on by pages under one id without repeating anything, and refuses the cursor of another request'),
        feed('goes on by pages without repeating anything'),
        next('does not take the cursor of another session'),
        pages('a cursor › is worth nothing when it is made up, changed, or of another project'),
        pages('a page › cannot be had when the page before it is lost'),
        judged,
      ),
      rule('length of cursor', 'up to 512', pages('a cursor › leads where it came from')),
      rule('filters', 'all must hold', judged, refs.tried, refs.totals),
      rule(
        'a missing value',
        'fails all but neq, not_in and exists: false',
        judged,
        refs.tried,
        filters('passesFilter › asks whether there is a value of the type'),
      ),
      rule(
        'unknown_filter',
        '422 with the field of the property or op, unless declared filterable and fitting its type',
        fallback(
          'a filter › is refused where the property is not declared filterable, or the condition does not fit its type',
        ),
        filters('bindFilter › takes the properties that are declared filterable'),
        filters('bindFilter › refuses a value that is not of the type, a list for one value, and one value for a list'),
      ),
      rule(
        'most filters and excluded ids',
        '20 filters, 100 values of one, 500 ids',
        requests('may have so many %s', "['filters',", "'values of a filter'", "'excluded ids'"),
      ),
      rule(
        'types, authors, exclude_authors, published_after, published_before, max_age_rating',
        'built-in filters',
        fallback('an answer without selection › keeps to every rule, and is never padded with what breaks one'),
        fallback('the list that stands in for selection › is looked for anew where conditions leave too little of it'),
        judged,
        refs.tried,
      ),
      rule(
        'an unknown age rating',
        'fails max_age_rating',
        mayShow('mayShow › goes by the age rating, and an unknown one may be any'),
        judged,
      ),
      rule('exclude', 'ids that do not come', arranging('pins › are judged as anything else is'), judged),
      rule(
        'boosts',
        'up to 10, by 0.1–10: multiply the score, never remove',
        arranging('boosts › raise what passes their filter, and remove nothing'),
        arranging('boosts › are refused where their filter is, by its field'),
        fallback('the list that stands in for selection › is boosted like a ranking'),
      ),
      rule(
        'pins',
        'stand at their places if no rule forbids them',
        arranging('pins › stand at their places, on later pages too, and come once'),
        arranging('pins › are judged as anything else is'),
        arranging('pins › are refused with the field that is wrong'),
        judged,
      ),
      rule('most pins', '5', requests('may have so many %s', "['pins',")),
      rule(
        'diversity',
        '0–1',
        arranging('diversity › lets neighbours differ by content'),
        testsIn('output/selection/ordering')('diversity › brings what differs from its neighbours nearer to the top'),
      ),
      rule(
        'max_per_author',
        '1–100, three by default; a field of feed, next and popular only',
        arranging('the limit for each author › is three where nothing is said, and no field of other paths'),
        surfaces('a request at a surface › keeps to what its path takes: a limit by author is not for similar items'),
        judged,
      ),
      rule(
        'exploration',
        'share of places from the third on that try new objects; 0–0.3',
        newcomers('the places of new items › are a share of those from the third on, and repeated by the seed'),
        newcomers(
          'the places of new items › are not for what the rules forbid, what is tried already, and what is not new',
        ),
        feedByModel('new items that are tried › are none without exploration'),
        feed('refuses what is out of bounds'),
      ),
      rule(
        'rotation_hours',
        '0–168: lowers what was shown to this person lately and not opened',
        arranging('rotation › lowers what the person was shown lately and did not open'),
        arranging('rotation › does not concern others, nor whoever does not want personalization'),
      ),
      rule(
        'defaults of diversity and exploration',
        '0.2 and 0.1',
        arranging('diversity where the request does not say › is 0.2'),
        feedByModel('new items that are tried › have a tenth of the places where the request does not say'),
      ),
      rule(
        'include_seen',
        'false in feed, next and popular, true elsewhere; any event but an impression is having seen',
        feed('leaves out what was met, unless that is asked for'),
        next('leaves out what the person has met'),
        popular('leaves out what the person has met, unless it is asked for'),
        together('shows what the person has met, never the cart, and by rules that few of the nearest fulfil'),
        fallback('an answer without selection › leaves out what the person has seen, where that is asked for'),
        judged,
      ),
      rule(
        'include_seen without personalization',
        'history is not used, so seen objects may appear',
        feed('uses nothing of somebody who does not want personalization, but what they exclude'),
        popular('leaves out what the person has met, unless it is asked for'),
      ),
      rule(
        'context',
        'city and country, for cold people',
        refs.rankFeed('a feed for somebody at a place › has what is popular there before what is popular everywhere'),
        feed('refuses what is out of bounds', "['context', { town: 'Казань' }]"),
      ),
      rule(
        'context of others',
        'is not used for whoever has met something',
        feed('goes by the place in a request for somebody who has met nothing, and for nobody else'),
      ),
      rule(
        'fields',
        'any of title, url, author, summary, tags, properties, image_url',
        similar('answers what is near by content, the nearest first, without the subject'),
        refs.totals,
        judged,
      ),
      rule(
        'fields url, summary and image_url',
        'what a GET of the object shows',
        similar('tells the address, the summary and the first picture of an item as a GET of it does'),
      ),
      rule(
        'explain',
        'false by default; what the score of each item is made of',
        feed('says what a score is made of'),
        pages('a page › tells of each item what its score is made of, where that is asked for'),
      ),
      rule(
        'a subject that never existed',
        '404; a deleted or unavailable one still answers',
        similar('is 404 for an item that never existed, and answers for one that was deleted'),
        next('is 404 for a session with an item that never existed, and answers for one that was deleted'),
        together('is 404 for what never existed, and answers for what was deleted'),
        refs.mayBeShown('is answered for an item that may not be shown itself'),
      ),
      rule(
        'a subject',
        'is never in its own answer',
        next('answers what is like the end of a session, without the session itself'),
        together('shows what the person has met, never the cart, and by rules that few of the nearest fulfil'),
        judged,
      ),
    ],
  },
];
