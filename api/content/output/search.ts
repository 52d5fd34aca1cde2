/** POST /search, POST /search/suggest */
import { EXACT_TOTAL } from '../../../domain/search/exactTotal.ts';
import { readExcerpts } from '../../../output/search/serve/excerpts.ts';
import type { Moment } from '../../../output/search/serve/moments.ts';
import { Marker } from '../../../output/search/serve/highlights.ts';
import type { SearchRequest } from '../../../output/search/serve/searchRequest.ts';
import { serveSearch, type SearchAnswer } from '../../../output/search/serve/serveSearch.ts';
import { serveSuggest } from '../../../output/search/serve/serveSuggest.ts';
import { LostPageError } from '../../../output/serve/snapshots/earlierPages.ts';
import type { Static } from '../../../domain/schemas/schema.ts';
import { define, type ContentDeps } from '../contentOperation.ts';
import { toResponse } from './outputAnswer.ts';
import { MAX_OUTPUT_BYTES } from '../../../domain/output/requestLimits.ts';
import { wrongCursor } from './outputRequest.ts';
import { SearchBody, SearchResponse, SuggestBody, SuggestResponse } from './searchFields.ts';
import { readSearchRequest, readSuggestRequest } from './searchRequest.ts';

export const searchOperation = define({
  method: 'post',
  path: '/search',
  operationId: 'search',
  tag: 'search',
  limitGroup: 'output',
  summary: 'Поиск по каталогу',
  description:
    'Находит объекты по словам и по смыслу. total и facets считают ровно то, что покажут страницы. ' +
    'Русский и английский вместе: формы слов, ё и е, другая раскладка, транслитерация, опечатки, синонимы проекта.',
  body: {
    schema: SearchBody,
    maxBytes: MAX_OUTPUT_BYTES,
    example: {
      query: 'трамваи петербурга',
      limit: 10,
      facets: ['tags', 'types'],
      fields: ['title'],
    },
  },
  replies: {
    200: {
      description: 'Найденное',
      schema: SearchResponse,
      example: {
        recommendation_id: 'r1h.3q2-7wAAAAAAAAAAAAAAAA',
        mode: 'hybrid',
        model: 'builtin-use-multilingual-v3',
        items: [
          {
            id: 'lesson-43',
            position: 0,
            score: 0.82,
            reason: { code: 'match' },
            fields: { title: 'Трамваи Петербурга' },
            highlights: [
              {
                field: 'title',
                text: 'Трамваи Петербурга',
                ranges: [
                  [0, 7],
                  [8, 18],
                ],
              },
            ],
            chunks: [{ media_position: 0, start_sec: 12, end_sec: 40, text: 'первый трамвай Петербурга' }],
          },
        ],
        next_cursor: null,
        total: { value: 1, relation: 'eq' },
        facets: { tags: [{ value: 'транспорт', count: 1 }], types: [{ value: 'video', count: 1 }] },
        corrected_query: null,
      },
    },
  },
  errors: [413, 422],
  async handle({ caller, body }, { output, frameUrl }) {
    const request = await readSearchRequest(output, caller, body);
    const answer = await serveSearch(output, request).catch((error: unknown) => {
      throw error instanceof LostPageError ? wrongCursor() : error;
    });
    return { status: 200, body: await searchResponse({ output, frameUrl }, request, answer) };
  },
});

async function searchResponse(
  { output, frameUrl }: Pick<ContentDeps, 'output' | 'frameUrl'>,
  request: SearchRequest,
  answer: SearchAnswer,
): Promise<Static<typeof SearchResponse>> {
  const { projectId, highlight } = request;
  const ids = answer.shown.map(({ item }) => item.id);
  const [common, excerpts] = await Promise.all([
    toResponse(request, answer),
    readExcerpts(output.pool, { projectId, ids, highlight, ...answer }, answer.marks),
  ]);
  const isExact = answer.total <= EXACT_TOTAL;
  return {
    ...common,
    mode: modeOf(answer),
    items: common.items.map((item) => {
      const { highlights = [], chunks = [] } = excerpts.get(item.id) ?? {};
      return { ...item, highlights, chunks: chunks.map((moment) => momentOf(moment, frameUrl)) };
    }),
    total: { value: isExact ? answer.total : EXACT_TOTAL, relation: isExact ? 'eq' : 'gte' },
    facets: Object.fromEntries(answer.facets.map(({ name, values }) => [name, [...values]])),
    corrected_query: answer.corrected,
  };
}

function momentOf({ frame, ...moment }: Moment, frameUrl: ContentDeps['frameUrl']) {
  return { ...moment, ...(frame && { frame: { ts: frame.ts, image_url: frameUrl(frame.blobKey) } }) };
}

function modeOf({ mode }: SearchAnswer): 'hybrid' | 'lexical' | 'fallback' {
  return mode === 'hybrid' || mode === 'lexical' ? mode : 'fallback';
}

export const suggestOperation = define({
  method: 'post',
  path: '/search/suggest',
  operationId: 'searchSuggest',
  tag: 'search',
  limitGroup: 'output',
  summary: 'Подсказки к набираемому запросу',
  description: 'Каждая подсказка, если искать её с теми же правилами, находит хотя бы один объект.',
  body: { schema: SuggestBody, maxBytes: MAX_OUTPUT_BYTES, example: { query: 'трам', limit: 5 } },
  replies: {
    200: {
      description: 'Подсказки',
      schema: SuggestResponse,
      example: { suggestions: [{ text: 'Трамваи Петербурга', kind: 'title', highlights: [[0, 4]] }] },
    },
  },
  errors: [413, 422],
  async handle({ caller, body }, { output }) {
    const request = await readSuggestRequest(output, caller, body);
    const { suggestions, marks } = await serveSuggest(output, request);
    const marker = new Marker(marks);
    return {
      status: 200,
      body: {
        suggestions: suggestions.map(({ text, kind }) => ({ text, kind, highlights: marker.rangesIn(text) })),
      },
    };
  },
});
