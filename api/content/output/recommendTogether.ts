/** POST /recommendations/together */
import Type from 'typebox';
import { togetherPath } from '../../../output/serve/request/pathsAndDefaults.ts';
import { strictObject } from '../../../domain/schemas/schema.ts';
import { define } from '../contentOperation.ts';
import { answerOutput } from './outputAnswer.ts';
import { MAX_OUTPUT_BYTES } from '../../../domain/output/requestLimits.ts';
import { outputRequestFields, OutputResponse, subjectItem } from './outputFields.ts';

const MAX_CART = 20;

const TogetherRequest = strictObject(
  {
    items: Type.Array(subjectItem, { minItems: 1, maxItems: MAX_CART, description: 'Корзина' }),
    ...outputRequestFields,
  },
  { title: 'TogetherRequest' },
);

export const togetherOperation = define({
  method: 'post',
  path: '/recommendations/together',
  operationId: 'recommendTogether',
  tag: 'recommendations',
  limitGroup: 'output',
  summary: 'С этим покупают',
  description:
    'Что покупают или используют вместе с объектами корзины: по заказам, а где их мало — близкое по содержанию. Самих этих объектов ' +
    'в ответе нет. Удалённый или недоступный объект отвечает по-прежнему; объекта, которого никогда не было, — 404.',
  body: {
    schema: TogetherRequest,
    maxBytes: MAX_OUTPUT_BYTES,
    example: { items: ['coffee-1', 'cup-7'], user: { user_id: 'user-7' }, limit: 5 },
  },
  replies: {
    200: {
      description: 'Выдача',
      schema: OutputResponse,
      example: {
        recommendation_id: 'r1c.3q2-7wAAAAAAAAAAAAAAAA',
        mode: 'contextual',
        model: '0198f0a2-5b1e-7c3a-9d42-3f1c2b7a9e10',
        items: [{ id: 'filter-3', position: 0, score: 1, reason: { code: 'together', item: 'coffee-1' } }],
        next_cursor: null,
      },
    },
  },
  errors: [404, 413, 422],
  handle: ({ caller, body }, { output }) =>
    answerOutput(output, caller, { path: togetherPath, body, subjects: [...new Set(body.items)] }),
});
