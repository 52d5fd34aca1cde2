/** POST /recommendations/popular */
import Type from 'typebox';
import { regionKey } from '../../../domain/dictionaries/regions.ts';
import { PERIODS, POPULARITY_KINDS, USUAL_PERIOD } from '../../../domain/output/popularity.ts';
import { popularPath } from '../../../output/serve/request/pathsAndDefaults.ts';
import { nullable, oneOf, strictObject, text } from '../../../domain/schemas/schema.ts';
import { define } from '../contentOperation.ts';
import { answerOutput } from './outputAnswer.ts';
import { MAX_OUTPUT_BYTES } from '../../../domain/output/requestLimits.ts';
import { authorLimitField, outputRequestFields, OutputResponse } from './outputFields.ts';

const MAX_REGION = 200;

const PopularRequest = strictObject(
  {
    period: Type.Optional(oneOf(PERIODS, { default: USUAL_PERIOD, description: 'За сколько последних дней' })),
    kind: Type.Optional(
      oneOf(POPULARITY_KINDS, {
        default: 'total',
        description: 'total — больше всего за период; trending — растёт быстрее, чем росло',
      }),
    ),
    region: Type.Optional(
      nullable(
        text(MAX_REGION, {
          minLength: 1,
          description: 'Город или страна из профилей: название на любом языке кабинета или код',
        }),
      ),
    ),
    ...outputRequestFields,
    ...authorLimitField,
  },
  { title: 'PopularRequest' },
);

export const popularOperation = define({
  method: 'post',
  path: '/recommendations/popular',
  operationId: 'recommendPopular',
  tag: 'recommendations',
  limitGroup: 'output',
  summary: 'Популярное',
  description:
    'Что популярно за период или растёт, везде или в регионе. Каждый пользователь считается за день один раз — по самому весомому ' +
    'своему событию с объектом; показы и отрицательные веса не считаются, удалённые пользователи вычитаются. За тем, что подходит под ' +
    'вопрос, следует популярное везде, затем новое; причина каждого объекта названа.',
  body: {
    schema: PopularRequest,
    maxBytes: MAX_OUTPUT_BYTES,
    example: { period: '7d', region: 'Казань', limit: 10, fields: ['title', 'url'] },
  },
  replies: {
    200: {
      description: 'Выдача',
      schema: OutputResponse,
      example: {
        recommendation_id: 'r1o.3q2-7wAAAAAAAAAAAAAAAA',
        mode: 'popular',
        model: null,
        items: [
          {
            id: 'lesson-43',
            position: 0,
            score: 1,
            reason: { code: 'region', value: 'Казань' },
            fields: { title: 'Трамваи Петербурга', url: 'https://shop.example/lesson-43' },
          },
        ],
        next_cursor: null,
      },
    },
  },
  errors: [413, 422],
  handle: ({ caller, body }, { output }) =>
    answerOutput(output, caller, {
      path: popularPath({
        period: body.period ?? USUAL_PERIOD,
        trend: body.kind === 'trending',
        region: regionOf(body.region ?? null),
      }),
      body,
      subjects: [],
    }),
});

/**
 * Returns the region; null when none is requested, or one that profiles may not store. Such a region is never counted,
 * so the response shows what is popular everywhere.
 */
function regionOf(value: string | null): { key: string; value: string } | null {
  const key = value === null ? null : regionKey(value);
  return value === null || key === null ? null : { key, value };
}
