/** The content of an output answer, and what it may show. */
import { notOurs, rule, testsIn, type Chapter } from '../../rule.ts';
import * as refs from './refs.ts';
import { fallback, feed, judged, mayBeShown, person, popular, readSignals, signals, similar, tried } from './refs.ts';

const suppressed = testsIn('domain/output/vectors')('isSuppressed › is what is as good as the same, of the same model');
const suppressedAlong = testsIn('output/selection/suppressedAlong');

export const answerChapters: readonly Chapter[] = [
  {
    title: 'Output: the answer',
    rules: [
      rule(
        'form',
        'recommendation_id, mode, model, items of id, position, score, reason, fields and explain; next_cursor',
        similar('answers what is near by content, the nearest first, without the subject'),
        testsIn('api/examples')('the example of › %s is answered as described', 'recommendFeed', 'recommendSimilar'),
      ),
      rule(
        'mode personal',
        'signals of this person were used',
        feed('goes by an event that was answered just now, and by the one that takes it back'),
        feed('goes by interests and followed authors, and by the device before a link is finished'),
        judged,
      ),
      rule(
        'mode contextual',
        'only of the subject or the place',
        similar('answers what is near by content, the nearest first, without the subject'),
        refs.rankFeed('a feed for somebody at a place › has what is popular there before what is popular everywhere'),
      ),
      rule(
        'mode popular',
        'of neither',
        feed('answers somebody unknown, without creating anybody, and without a user at all'),
        popular('answers what is new where nothing is popular yet'),
        refs.rankSimilar('beside an item without a vector › the newest alone are popular, not contextual'),
      ),
      rule(
        'mode fallback',
        'selection takes too long or is away',
        fallback('an answer without selection › says that it is a fallback, and brings the newest'),
        tried,
      ),
      rule(
        'because_item',
        'for what people met',
        testsIn('output/feed')(
          'a feed by a model › is ranked by the one that was published last, and by the one before while its file is broken',
        ),
      ),
      rule(
        'similar',
        'for content',
        similar('answers what is near by content, the nearest first, without the subject'),
      ),
      rule(
        'together',
        'for orders',
        refs.together('answers what is ordered with the cart, with the item that says most, then what is like it'),
      ),
      rule(
        'interest, author',
        'for what the profile follows, or who made the subject',
        feed('goes by interests and followed authors, and by the device before a link is finished'),
        testsIn('output/similar')(
          'beside an item that is not analysed yet › what its author has published is shown, then what is new',
        ),
      ),
      rule(
        'popular, new',
        'for what many met, and what is recent',
        popular('answers what most people touched within the period, then what is new'),
        fallback('the list that stands in for selection › begins with what was popular within a week'),
      ),
      rule('trending', 'for what rises', popular('answers what rises before what has most')),
      rule(
        'region',
        'for a city or country',
        popular('answers what is popular in a city or country before what is elsewhere'),
      ),
      rule('pinned', 'for a pin', refs.arranging('pins › stand at their places, on later pages too, and come once')),
      rule(
        'match',
        'for a hit of a search',
        refs.searched('POST /search › answers what matches, with its total, facets and marked words'),
      ),
      rule(
        'nothing is padded',
        'fewer than limit is right: no mode shows what breaks a rule',
        fallback('an answer without selection › keeps to every rule, and is never padded with what breaks one'),
        judged,
        tried,
      ),
      notOurs('scores', 'compare within one answer only', 'what a reader may not conclude'),
      rule(
        'every other trouble',
        'is a fallback',
        fallback('an answer without selection › brings the newest when what is popular cannot be read in time'),
        refs.searchFallback(
          'a search that selection does not answer › finds by the words of titles, and counts what its pages show',
        ),
        judged,
      ),
      rule(
        '503',
        'only when the rules cannot be checked',
        refs.requests('is 503 while PostgreSQL is away, although selection answers, and is answered when it is back'),
      ),
    ],
  },
  {
    title: 'Output: what may be shown',
    rules: [
      rule(
        'eligible',
        'available, not deleted, not failed',
        testsIn('domain/output/mayShow')('isEligible › is what is available, not deleted and has not failed'),
        fallback('the list that stands in for selection › does not consist of what has failed'),
        judged,
      ),
      rule(
        'queued and waiting ones',
        'come by author, popularity and their own properties',
        refs.rankSimilar(
          'beside an item without a vector › its author is shown, then what is new, each with its reason',
        ),
        refs.searched(
          'on the very next search after a write › what was deleted, taken back or changed is neither shown nor counted',
        ),
      ),
      rule(
        'eligibility, at once',
        'on the very next request after the write, in every mode, on every page',
        mayBeShown('holds on the very next request after a write'),
        refs.pages('a page › is the same when it is asked for again, but for what may not be shown any more'),
        refs.searched(
          'on the very next search after a write › what was deleted, taken back or changed is neither shown nor counted',
        ),
        refs.searched(
          'on the very next search after a write › holds while another transaction keeps the list of changes open',
        ),
        judged,
        tried,
      ),
      rule('filters and exclude, at once', 'the same', judged, tried),
      rule(
        'hides_item',
        'by events of the person, at once',
        mayBeShown('is what the person has not hidden, by event, author or interest'),
        person('what a person excludes › is an item hidden by a fact, for good'),
        person('what a person excludes › does not hold what was hidden on the device and taken back by the user'),
        judged,
        tried,
      ),
      rule(
        'hidden_authors',
        'at once',
        mayBeShown('is what the person has not hidden, by event, author or interest'),
        judged,
        tried,
      ),
      rule(
        'excluded_interests',
        'topics and tags, by dictionary and stem, at once',
        mayBeShown('is what the person has not hidden, by event, author or interest'),
        testsIn('output/interests')('interests › are the same in any form and order of their words'),
        testsIn('output/interests')('interests › are the same by any name of a topic in the dictionary'),
        judged,
        tried,
      ),
      rule(
        'suppress_similar_days: content',
        'the object and what is nearer to it than a threshold by content, at once',
        mayBeShown('is nothing like what an event of the person suppresses, for as many days as its type says'),
        person('what a person excludes › goes by the largest value of a type that keeps the largest'),
        suppressed,
        refs.rankSimilar('what is like an item › leaves out what is as good as the same as something suppressed'),
        judged,
        tried,
      ),
      rule(
        'suppress_similar_days: neighbours',
        'what is nearer than a threshold by what people met with it, as far as selection ranks',
        suppressedAlong(
          'the targets that stand out in a row › have at least half of the heaviest weight, in whatever unit',
        ),
        suppressedAlong('the targets that stand out in a row › are ten at most, the heaviest'),
        suppressedAlong('what people meet with a suppressed item › is suppressed as well, in every ranking'),
        suppressedAlong('what people meet with a suppressed item › does not come as a new item that is tried either'),
      ),
      rule(
        'deletion and link of the person',
        'at once',
        mayBeShown('is what the person has not hidden, by event, author or interest'),
        person('what a person excludes › is what any of the profiles says, before a link is finished too'),
        judged,
        tried,
      ),
      rule(
        'an event that was answered',
        "counts in the next request's scores",
        feed('goes by an event that was answered just now, and by the one that takes it back'),
        feed('goes by an order before its events are made, and not by a cancelled one'),
        judged,
      ),
      rule(
        'personalization: false',
        'no history, interests or followed authors; what they exclude still holds',
        feed('uses nothing of somebody who does not want personalization, but what they exclude'),
        readSignals(
          'what is read of a person › is nothing without personalization, and nothing of somebody who was deleted',
        ),
        judged,
      ),
      rule(
        'personalization: false, snapshot',
        'has no person',
        fallback('the snapshot of an answer › has its person, unless the person does not want personalization'),
        judged,
      ),
      rule(
        'signals',
        'weight of the type × multiplier of the value × decay by age',
        signals(
          'the signals of a person › are the weights of the types times the engagement, all events of an item together',
        ),
        signals('the engagement of a value › is what the highest threshold says that it reaches'),
        signals('the signals of a person › fade with age, and nothing in the future weighs more than now'),
        readSignals('what is read of a person › changes with the weight of a type, at once'),
      ),
      rule(
        'negative weights',
        'subtract',
        signals('the signals of a person › subtract what is not wanted'),
        refs.rankFeed('a feed without a model › has what is like an unwanted item last'),
      ),
      rule(
        'followed authors and interests',
        'add',
        feed('goes by interests and followed authors, and by the device before a link is finished'),
        refs.rankFeed(
          'a feed for somebody of whom nothing is known › has what is on the interests and by the followed authors first',
        ),
      ),
      rule(
        'states and facts',
        'count alike',
        readSignals('what is read of a person › is what facts and states say alike, of all that belongs to the person'),
      ),
    ],
  },
];
