/** Search and its suggestions. */
import { rule, testsIn, type Chapter } from '../../rule.ts';
import { answered, highlights, judged, queries, searched, searchFallback, suggestions, totals, tried } from './refs.ts';

const words = testsIn('domain/search/words');
const found = (...cases: string[]) => queries('what a query finds › %s: %j', ...cases);

export const searchChapters: readonly Chapter[] = [
  {
    title: 'Output: search',
    rules: [
      rule(
        'semantic',
        'auto, or 0–1: the weight of meaning against words',
        answered('meaning › is joined with words'),
        answered('meaning › alone does not go by words, and words alone not by meaning'),
        searched('POST /search › finds by meaning what has none of the words'),
        searched('POST /search › refuses a query that is too long and fields that it does not know'),
      ),
      rule(
        'typos',
        'on unless switched off',
        queries('what a query finds › is only what is written, where errors are not to be corrected'),
      ),
      rule(
        'prefix',
        'off; on in suggestions',
        queries('what a query finds › is, of a word that may go on, what begins so'),
        suggestions('suggestions › are words, tags, authors and titles that go on as the query does'),
      ),
      rule(
        'personal',
        'reorders, never changes the total',
        answered('the order › puts what a person likes first, without adding or leaving out anything'),
      ),
      rule(
        'defaults of semantic and personal',
        'auto and 0.2',
        searched('the weight of meaning › is auto where the request does not say'),
        searched('the taste of a person › counts 0.2 where the request does not say'),
      ),
      rule(
        'reach of personal',
        'the first 100 only',
        searched(
          'the taste of a person › reorders the first hundred alone, on all pages, and leaves the total as it is',
        ),
      ),
      rule(
        'facets',
        'up to 10 properties, or types, authors, tags, topics',
        judged,
        tried,
        answered('facets and totals › are of all hits, whatever the page'),
        answered('facets and totals › know lists and moments'),
        searched('POST /search › refuses a query that is too long and fields that it does not know'),
      ),
      rule(
        'sort',
        'relevance, published_at, popular or a filterable number or datetime; asc or desc',
        answered('the order › goes by a property, what has none last in either direction'),
        answered('the order › goes by popularity'),
        searched('POST /search › sorts by a property, and refuses what is no filterable property of a fitting type'),
        searchFallback(
          'a search that selection does not answer › knows both languages, ё, minus words and another order',
        ),
      ),
      rule(
        'highlight: false',
        'leaves the marks out',
        searched('POST /search › marks no words where that is not wanted'),
      ),
      rule(
        'mode',
        'hybrid, lexical or fallback',
        searched('POST /search › answers what matches, with its total, facets and marked words'),
        searched('POST /search › finds by meaning what has none of the words'),
        searchFallback(
          'a search that selection does not answer › finds by the words of titles, and counts what its pages show',
        ),
        tried,
      ),
      rule(
        'total and facets',
        'count exactly what the pages will give',
        totals,
        judged,
        searched(
          'on the very next search after a write › what a person hides, has seen or does not want is neither shown nor counted',
        ),
        searchFallback(
          'a search that selection does not answer › finds by the words of titles, and counts what its pages show',
        ),
      ),
      rule(
        'relation gte',
        'of a total above 10,000',
        searched('POST /search › tells of more than 10,000 hits that there are more'),
      ),
      rule(
        'corrected_query',
        'the query as it was understood',
        queries('the query as it was understood › of %s is %s'),
      ),
      rule(
        'highlights',
        'field, text and ranges in characters',
        highlights('marked words › are those with the stems of the query, in any form'),
        highlights('marked words › are counted in characters, not in code units'),
        highlights('a fragment › is the text around its first marked word'),
        searched('POST /search › answers what matches, with its total, facets and marked words'),
      ),
      rule(
        'chunks',
        'up to 3: the moment in the video where it is said or shown',
        searched('POST /search › tells up to three moments of media, those with the most of the words first'),
      ),
      rule(
        'Russian and English in one index',
        'stems, ё as е',
        found(
          "['трамваи', ['tram-history', 'tram-today']]",
          "['елка', ['tree']]",
          "['shoe', ['shoes']]",
          "['tram', ['film']]",
        ),
        searchFallback(
          'a search that selection does not answer › knows both languages, ё, minus words and another order',
        ),
      ),
      rule(
        'the other keyboard layout',
        'both ways',
        found("['nhfvdfq', ['tram-history', 'tram-today']]", "['ашдь', ['film']]"),
        words('the other keyboard layout › reads %s as %s'),
        searched(
          'POST /search › corrects what was typed, and finds with the synonyms of the project from the next search on',
        ),
      ),
      rule(
        'transliteration',
        'both ways',
        found("['borsch', ['borscht']]", "['самсунг', ['washer']]"),
        words('transliteration › finds that %s and %s sound alike'),
      ),
      rule(
        'typing errors',
        'one from 5 letters, two from 9',
        found("['борщь', ['borscht']]", "['радеоупровляемый', ['helicopter']]", "['микс', []]"),
        words('typing errors › are allowed by the number of characters, whatever their bytes'),
      ),
      rule(
        'phrases',
        'in quotes',
        found("['\"история трамваев\"', ['tram-history']]"),
        testsIn('output/search/searchIndex')('an index › does not find a phrase across two fields'),
        answered('meaning › does not go round phrases, minus words and rules'),
      ),
      rule('minus words', 'are not wanted', found("['трамвай -история', ['tram-today']]"), judged, tried),
      rule(
        'synonyms of the project',
        'one-way and two-way',
        found("['стиралка', ['washer']]", "['обувь', ['shoes']]", "['shoes', ['shoes']]"),
        searched(
          'POST /search › corrects what was typed, and finds with the synonyms of the project from the next search on',
        ),
      ),
      rule(
        'a hit by meaning alone',
        "needs a similarity above the model's own threshold",
        answered('meaning › finds what has none of the words, and nothing that is not like the query'),
        searched('POST /search › finds by meaning what has none of the words'),
      ),
      rule(
        'a pin',
        'may ignore the query, never a rule',
        searched('what is pinned › stands on its place whatever the query says, counts, and comes once'),
        answered(
          'what a request prefers › raises and lowers relevance, and what is pinned counts whatever the query says',
        ),
        judged,
      ),
      rule(
        'include_seen: false',
        'leaves seen objects out of total and facets as well',
        searched(
          'on the very next search after a write › what a person hides, has seen or does not want is neither shown nor counted',
        ),
        answered(
          'facets and totals › leave out what the rules, the filters and the history do, and keep what was shown',
        ),
        totals,
        searchFallback('a search that selection does not answer › keeps the rules'),
      ),
      rule(
        'suggestions',
        'text, kind of query, title, author or tag, highlights',
        suggestions('suggestions › are words, tags, authors and titles that go on as the query does'),
        searchFallback(
          'a search that selection does not answer › is one of suggestions, too: titles that have the words',
        ),
      ),
      rule(
        'what is suggested',
        'leads to at least one hit',
        suggestions('suggestions › lead to a hit under the rules of their request'),
        suggestions('suggestions › are no texts that would be read as more than words'),
        judged,
        tried,
      ),
    ],
  },
];
