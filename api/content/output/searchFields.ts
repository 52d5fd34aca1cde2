/** Fields of searches and of their responses besides those of recommendations. */
import Type from 'typebox';
import { ID_MAX_LENGTH } from '../../../domain/idLength.ts';
import { SORT_DIRECTIONS } from '../../../domain/search/facetAndSortNames.ts';
import {
  DEFAULT_PERSONAL,
  DEFAULT_SUGGESTIONS,
  MAX_QUERY_CHARACTERS,
  MAX_SUGGESTIONS,
  MAX_FACETS,
} from '../../../domain/output/requestLimits.ts';
import { HIGHLIGHT_FIELDS } from '../../../output/search/serve/excerpts.ts';
import { SUGGESTION_KINDS } from '../../../output/messages/searchMessages.ts';
import { DESCRIBED, nullable, oneOf, strictObject, text, type Static } from '../../../domain/schemas/schema.ts';
import { OutputItem, OutputResponse, outputRequestFields } from './outputFields.ts';
import { FACET_VALUES } from '../../../output/search/match/facets.ts';
import { EXACT_TOTAL } from '../../../domain/search/exactTotal.ts';

const name = text(ID_MAX_LENGTH, { minLength: 1 });

const query = text(MAX_QUERY_CHARACTERS, {
  description:
    'Слова; "фраза в кавычках"; -слово, которого быть не должно. Пустой запрос показывает всё, что разрешают фильтры',
});
const typos = Type.Optional(
  Type.Boolean({
    default: true,
    description: 'Исправлять раскладку, транслитерацию и опечатки в словах, которых нет нигде',
  }),
);

export const SearchBody = strictObject(
  {
    query,
    ...outputRequestFields,
    semantic: Type.Optional(
      Type.Unsafe<number | 'auto'>({
        // Not anyOf, which would report a value out of range as one of a wrong type.
        type: ['number', 'string'],
        minimum: 0,
        maximum: 1,
        pattern: '^auto$',
        default: 'auto',
        description: 'Вес смысла против слов: 0 — только слова, 1 — только смысл',
        [DESCRIBED]: { anyOf: [{ type: 'number' }, { type: 'string', enum: ['auto'] }] },
      }),
    ),
    typos,
    prefix: Type.Optional(Type.Boolean({ default: false, description: 'Последнее слово может быть не дописано' })),
    personal: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1,
        default: DEFAULT_PERSONAL,
        description: 'Насколько вкус пользователя переставляет первые 100 результатов; число результатов не меняется',
      }),
    ),
    facets: Type.Optional(
      Type.Array(name, {
        maxItems: MAX_FACETS,
        description: 'types, authors, tags, topics или имена фильтруемых свойств',
      }),
    ),
    sort: Type.Optional(
      strictObject(
        {
          by: text(ID_MAX_LENGTH, {
            minLength: 1,
            description: 'relevance, published_at, popular или имя фильтруемого свойства — числа или даты',
          }),
          dir: Type.Optional(oneOf(SORT_DIRECTIONS, { default: 'desc' })),
        },
        { title: 'SearchSort' },
      ),
    ),
    highlight: Type.Optional(Type.Boolean({ default: true, description: 'Показать, где в текстах слова запроса' })),
  },
  { title: 'SearchRequest' },
);
export type SearchBodyFields = Static<typeof SearchBody>;

const range = Type.Unsafe<[number, number]>({
  type: 'array',
  items: { type: 'integer' },
  minItems: 2,
  maxItems: 2,
  description: 'От символа до символа после последнего; символы — кодовые точки Юникода',
});

const Highlight = Type.Object(
  { field: oneOf(HIGHLIGHT_FIELDS), text: Type.String(), ranges: Type.Array(range) },
  { title: 'SearchHighlight' },
);
const Moment = Type.Object(
  {
    media_position: Type.Integer({ description: 'Место медиа в объекте' }),
    start_sec: nullable(Type.Number()),
    end_sec: nullable(Type.Number()),
    text: Type.String(),
    chapter: Type.Optional(Type.String({ description: 'Название главы, если запись разделена на главы' })),
    frame: Type.Optional(
      Type.Object(
        {
          ts: nullable(Type.Number({ description: 'Секунды от начала медиа; null у изображения' })),
          image_url: Type.String({ description: 'Подписанная ссылка, действует час' }),
        },
        {
          title: 'SearchFrame',
          description: 'Кадр, по которому объект найден; есть только у места, найденного по виду',
        },
      ),
    ),
  },
  { title: 'SearchChunk' },
);

export const SearchResponse = Type.Object(
  {
    ...OutputResponse.properties,
    mode: oneOf(['hybrid', 'lexical', 'fallback'] as const, {
      description: 'hybrid — слова и смысл, lexical — только слова, fallback — слова названий: подбор не успел',
    }),
    items: Type.Array(
      Type.Object(
        {
          ...OutputItem.properties,
          highlights: Type.Array(Highlight),
          chunks: Type.Array(Moment, { description: 'До трёх мест медиа, где это сказано или показано' }),
        },
        { title: 'SearchItem' },
      ),
    ),
    total: Type.Object(
      {
        value: Type.Integer(),
        relation: oneOf(['eq', 'gte'] as const, { description: `gte — больше ${EXACT_TOTAL}` }),
      },
      { title: 'SearchTotal' },
    ),
    facets: Type.Record(
      Type.String(),
      Type.Array(
        Type.Object(
          {
            value: Type.Unsafe<string | number | boolean>({ type: ['string', 'number', 'boolean'] }),
            count: Type.Integer(),
          },
          { title: 'FacetValue' },
        ),
      ),
      { description: `По имени — до ${FACET_VALUES} самых частых значений` },
    ),
    corrected_query: nullable(Type.String({ description: 'Как понят запрос, если не так, как написан' })),
  },
  { title: 'SearchResponse' },
);

export const SuggestBody = strictObject(
  {
    ...outputRequestFields,
    query: text(MAX_QUERY_CHARACTERS, { description: 'Набранное начало запроса' }),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_SUGGESTIONS, default: DEFAULT_SUGGESTIONS })),
    typos,
    prefix: Type.Optional(Type.Boolean({ default: true, description: 'Последнее слово может быть не дописано' })),
  },
  { title: 'SuggestRequest' },
);
export type SuggestBodyFields = Static<typeof SuggestBody>;

export const SuggestResponse = Type.Object(
  {
    suggestions: Type.Array(
      Type.Object(
        { text: Type.String(), kind: oneOf(SUGGESTION_KINDS), highlights: Type.Array(range) },
        { title: 'Suggestion' },
      ),
    ),
  },
  { title: 'SuggestResponse' },
);
