/** The fields that every request for recommendations has, and those of its answers. */
import Type from 'typebox';
import { FILTER_OPS, MAX_FILTER_VALUES } from '../../domain/output/filters.ts';
import { OUTPUT_MODES } from '../../domain/output/recommendationId.ts';
import { AGE_RATINGS } from '../../domain/output/rules.ts';
import { ITEM_TYPES } from '../../domain/steps.ts';
import { OUTPUT_FIELDS } from '../../output/serve/request.ts';
import { dateTime, freeObject, nullable, oneOf, strictObject, text } from '../../schemas/schema.ts';
import { EndUserIds } from './endUser.ts';

export const MAX_OUTPUT_BYTES = 64 * 1024;
export const DEFAULT_OUTPUT_LIMIT = 20;

const itemId = text(191, { minLength: 1 });
const author = text(191, { minLength: 1 });
const scalar = { type: ['string', 'number', 'boolean'] };

const Filter = strictObject(
  {
    property: text(191, { minLength: 1, description: 'Свойство, объявленное фильтруемым' }),
    op: oneOf(FILTER_OPS),
    value: Type.Unsafe<unknown>({
      anyOf: [scalar, { type: 'array', items: scalar, minItems: 1, maxItems: MAX_FILTER_VALUES }],
      description: 'Список — для in, not_in, contains_any и contains_all; true или false — для exists',
    }),
  },
  { title: 'OutputFilter' },
);

/** Of requests for recommendations and of searches alike. */
export const outputRequestFields = {
  user: Type.Optional(nullable(EndUserIds)),
  surface: Type.Optional(nullable(text(16, { description: 'Место показа, как в событиях' }))),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: DEFAULT_OUTPUT_LIMIT })),
  cursor: Type.Optional(
    nullable(text(512, { description: 'next_cursor предыдущей страницы; остальное тело — то же, что и у неё' })),
  ),
  filters: Type.Optional(Type.Array(Filter, { maxItems: 20, description: 'Должны выполняться все' })),
  types: Type.Optional(Type.Array(oneOf(ITEM_TYPES), { minItems: 1, maxItems: ITEM_TYPES.length })),
  authors: Type.Optional(Type.Array(author, { minItems: 1, maxItems: 100 })),
  exclude_authors: Type.Optional(Type.Array(author, { maxItems: 100 })),
  published_after: Type.Optional(nullable(dateTime({ description: 'В этот момент или позже' }))),
  published_before: Type.Optional(nullable(dateTime({ description: 'Раньше этого момента' }))),
  max_age_rating: Type.Optional(
    nullable(oneOf(AGE_RATINGS, { description: 'Объект с неизвестным рейтингом не проходит' })),
  ),
  exclude: Type.Optional(Type.Array(itemId, { maxItems: 500 })),
  include_seen: Type.Optional(Type.Boolean({ description: 'Показывать ли то, с чем у пользователя уже были события' })),
  fields: Type.Optional(Type.Array(oneOf(OUTPUT_FIELDS), { maxItems: OUTPUT_FIELDS.length })),
  explain: Type.Optional(Type.Boolean({ default: false })),
};

export const subjectItem = itemId;

const OutputItem = Type.Object(
  {
    id: Type.String(),
    position: Type.Integer({ description: 'С нуля, сквозная по страницам' }),
    score: Type.Number({ description: 'Сравнима только внутри одного ответа' }),
    reason: Type.Object({
      code: oneOf([
        'because_item',
        'similar',
        'together',
        'interest',
        'author',
        'popular',
        'trending',
        'region',
        'new',
        'pinned',
        'match',
      ]),
      item: Type.Optional(Type.String()),
      value: Type.Optional(Type.String()),
    }),
    fields: Type.Optional(freeObject({ description: 'Запрошенные поля' })),
    explain: Type.Optional(freeObject({ description: 'Из чего сложилась оценка' })),
  },
  { title: 'OutputItem' },
);

export const OutputResponse = Type.Object(
  {
    recommendation_id: Type.String({ description: 'Передавайте его в событиях, которые пришли с этой выдачи' }),
    mode: oneOf(OUTPUT_MODES, {
      description:
        'personal — по сигналам пользователя, contextual — только по объекту или месту, popular, fallback — подбор не успел',
    }),
    model: nullable(Type.String()),
    items: Type.Array(OutputItem),
    next_cursor: nullable(Type.String({ description: 'null — дальше страниц нет' })),
  },
  { title: 'OutputResponse' },
);
