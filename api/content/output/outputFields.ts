/** Fields of all requests for recommendations and of their responses. */
import Type from 'typebox';
import { ID_MAX_LENGTH } from '../../../domain/idLength.ts';
import {
  MAX_PIN_POSITION,
  MAX_PINS,
  DEFAULT_PER_AUTHOR,
  MAX_PER_AUTHOR,
} from '../../../domain/output/page/pinsAndAuthors.ts';
import { MAX_BOOSTS, MAX_FACTOR, MIN_FACTOR } from '../../../domain/output/boosts.ts';
import { FILTER_OPS, MAX_FILTER_VALUES, MAX_FILTERS } from '../../../domain/output/propertyFilters.ts';
import { OUTPUT_MODES } from '../../../domain/output/recommendationId.ts';
import { REASON_CODES } from '../../../domain/output/reasons.ts';
import { AGE_RATINGS } from '../../../domain/output/mayShow.ts';
import {
  DEFAULT_OUTPUT_LIMIT,
  MAX_EXCLUDED_ITEMS,
  MAX_OUTPUT_LIMIT,
  MAX_REQUEST_AUTHORS,
} from '../../../domain/output/requestLimits.ts';
import { ANSWER_FIELDS } from '../../../output/serve/request/answerFields.ts';
import { ITEM_TYPES } from '../../../domain/analysis/steps.ts';
import {
  dateTime,
  freeObject,
  nullable,
  oneOf,
  strictObject,
  text,
  type Static,
} from '../../../domain/schemas/schema.ts';
import { AudienceIds } from '../endUser.ts';
import { DEFAULT_EXPLORATION, MAX_EXPLORATION } from '../../../domain/output/page/exploration.ts';
import { DEFAULT_DIVERSITY } from '../../../domain/output/page/diversity.ts';
import { MAX_ROTATION_HOURS } from '../../../output/serve/candidates/rotation.ts';

const itemId = text(ID_MAX_LENGTH, { minLength: 1 });
const author = text(ID_MAX_LENGTH, { minLength: 1 });
const SCALAR = ['string', 'number', 'boolean'];

const OutputExplanation = Type.Object(
  {
    subject: Type.Optional(Type.String({ description: 'Объект, с которым сравнивали' })),
    cosine: Type.Optional(Type.Number({ description: 'Близость по содержанию, от −1 до 1' })),
    model: Type.Optional(Type.String({ description: 'Модель, по векторам которой сравнивали' })),
    parts: Type.Optional(
      Type.Record(Type.String(), Type.Number(), {
        description:
          'Сколько внесли вкус (taste), следующее (transition), содержание (content), то же у мало кому показанного (unmet), интересы (interests), авторы из подписок (authors), ' +
          'тот же автор (author), встреченное вместе (together), популярность (popularity) и новизна (recency). В fallback — ' +
          'только популярность. В popular — взвешенное число людей: везде ' +
          '(popularity) и в регионе (region), и рост в стандартных отклонениях (trend). В together — сумма весов пар (together) и близость (content). ' +
          'В similar, пока у объекта нет вектора, — тот же автор (author) и новизна (recency). ' +
          'В поиске — слова (words) и смысл (meaning), из которых состоит relevance, и сколько вкус (taste) добавил к месту, но не к оценке. У закреплённого — пусто: его место задано',
      }),
    ),
    factor: Type.Optional(Type.Number({ description: 'Во сколько раз оценку изменили boosts и rotation_hours' })),
    relevance: Type.Optional(Type.Number({ description: 'Соответствие запросу по словам и смыслу' })),
    published_at: Type.Optional(Type.String({ description: 'Новизна, если сравнивать не с чем' })),
  },
  { title: 'OutputExplanation' },
);

export const OutputFilter = strictObject(
  {
    property: text(ID_MAX_LENGTH, { minLength: 1, description: 'Свойство, объявленное фильтруемым' }),
    op: oneOf(FILTER_OPS),
    value: Type.Unsafe<unknown>({
      // Not anyOf, which would report a list that is too long as not being a text.
      type: [...SCALAR, 'array'],
      items: { type: SCALAR },
      minItems: 1,
      maxItems: MAX_FILTER_VALUES,
      description: 'Список — для in, not_in, contains_any и contains_all; true или false — для exists',
    }),
  },
  { title: 'OutputFilter' },
);

const OutputBoost = strictObject(
  {
    filter: OutputFilter,
    factor: Type.Number({
      minimum: MIN_FACTOR,
      maximum: MAX_FACTOR,
      description: 'Больше 1 поднимает, меньше — опускает',
    }),
  },
  { title: 'OutputBoost' },
);

const OutputPin = strictObject(
  {
    item: itemId,
    position: Type.Integer({ minimum: 0, maximum: MAX_PIN_POSITION, description: 'С нуля, сквозная по страницам' }),
  },
  { title: 'OutputPin' },
);

/** Fields common to requests for recommendations and searches. */
export const outputRequestFields = {
  user: Type.Optional(nullable(AudienceIds)),
  surface: Type.Optional(nullable(text(16, { description: 'Место показа, как в событиях' }))),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_OUTPUT_LIMIT, default: DEFAULT_OUTPUT_LIMIT })),
  cursor: Type.Optional(
    nullable(text(512, { description: 'next_cursor предыдущей страницы; остальное тело — то же, что и у неё' })),
  ),
  filters: Type.Optional(Type.Array(OutputFilter, { maxItems: MAX_FILTERS, description: 'Должны выполняться все' })),
  types: Type.Optional(
    nullable(
      Type.Array(oneOf(ITEM_TYPES), { minItems: 1, maxItems: ITEM_TYPES.length, description: 'null — любые типы' }),
    ),
  ),
  authors: Type.Optional(
    nullable(Type.Array(author, { minItems: 1, maxItems: MAX_REQUEST_AUTHORS, description: 'null — любые авторы' })),
  ),
  exclude_authors: Type.Optional(Type.Array(author, { maxItems: MAX_REQUEST_AUTHORS })),
  published_after: Type.Optional(nullable(dateTime({ description: 'В этот момент или позже' }))),
  published_before: Type.Optional(nullable(dateTime({ description: 'Раньше этого момента' }))),
  max_age_rating: Type.Optional(
    nullable(oneOf(AGE_RATINGS, { description: 'Объект с неизвестным рейтингом не проходит' })),
  ),
  exclude: Type.Optional(Type.Array(itemId, { maxItems: MAX_EXCLUDED_ITEMS })),
  include_seen: Type.Optional(Type.Boolean({ description: 'Показывать ли то, с чем у пользователя уже были события' })),
  context: Type.Optional(
    nullable(
      strictObject(
        { city: Type.Optional(nullable(text(100))), country: Type.Optional(nullable(text(100))) },
        { title: 'OutputContext', description: 'Где находится пользователь, о котором ещё ничего не известно (feed)' },
      ),
    ),
  ),
  boosts: Type.Optional(
    Type.Array(OutputBoost, {
      maxItems: MAX_BOOSTS,
      description: 'Умножают оценку подошедших объектов и никогда не убирают остальные',
    }),
  ),
  pins: Type.Optional(
    Type.Array(OutputPin, { maxItems: MAX_PINS, description: 'Ставятся на эти места, если правила их не запрещают' }),
  ),
  diversity: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 1,
      default: DEFAULT_DIVERSITY,
      description: 'Насколько соседи в первой сотне должны различаться по содержанию (не в поиске)',
    }),
  ),
  rotation_hours: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: MAX_ROTATION_HOURS,
      default: 0,
      description: 'Опускает то, что за эти часы пользователю уже показали, а он не открыл (не в поиске)',
    }),
  ),
  exploration: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: MAX_EXPLORATION,
      default: DEFAULT_EXPLORATION,
      description: 'Доля мест, начиная с третьего, на которых пробуются новые объекты (feed и next)',
    }),
  ),
  fields: Type.Optional(Type.Array(oneOf(ANSWER_FIELDS), { maxItems: ANSWER_FIELDS.length })),
  explain: Type.Optional(
    Type.Boolean({ default: false, description: 'Показать, из чего сложилась оценка каждого объекта' }),
  ),
};

/** Only requests for feed, next and popular can set it. */
export const authorLimitField = {
  max_per_author: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_PER_AUTHOR,
      default: DEFAULT_PER_AUTHOR,
      description: 'Сколько объектов одного автора может быть на странице',
    }),
  ),
};

const CommonFields = strictObject({ ...outputRequestFields, ...authorLimitField });
/** A body that passed its schema, without the fields of its path. */
export type OutputBody = Static<typeof CommonFields>;

export const subjectItem = itemId;

export const OutputItem = Type.Object(
  {
    id: Type.String(),
    position: Type.Integer({ description: 'С нуля, сквозная по страницам' }),
    score: Type.Number({ description: 'Сравнима только внутри одного ответа' }),
    reason: Type.Object({
      code: oneOf(REASON_CODES),
      item: Type.Optional(Type.String()),
      value: Type.Optional(Type.String()),
    }),
    fields: Type.Optional(freeObject({ description: 'Запрошенные поля' })),
    explain: Type.Optional(OutputExplanation),
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
