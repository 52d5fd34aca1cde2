/** POST /recommendations/next */
import Type from 'typebox';
import { nextPath } from '../../../output/serve/request/pathsAndDefaults.ts';
import { DESCRIBED, strictObject } from '../../../domain/schemas/schema.ts';
import type { FieldFault } from '../../http/errors.ts';
import { define } from '../contentOperation.ts';
import { answerOutput } from './outputAnswer.ts';
import { MAX_OUTPUT_BYTES } from '../../../domain/output/requestLimits.ts';
import { authorLimitField, outputRequestFields, OutputResponse, subjectItem } from './outputFields.ts';

const MAX_SESSION = 50;

const NextRequest = strictObject(
  {
    item: Type.Optional(subjectItem),
    items: Type.Optional(
      Type.Array(subjectItem, { minItems: 1, maxItems: MAX_SESSION, description: 'Сессия, старые раньше' }),
    ),
    ...outputRequestFields,
    ...authorLimitField,
  },
  { title: 'NextRequest', [DESCRIBED]: { oneOf: [{ required: ['item'] }, { required: ['items'] }] } },
);

export const nextOperation = define({
  method: 'post',
  path: '/recommendations/next',
  operationId: 'recommendNext',
  tag: 'recommendations',
  limitGroup: 'output',
  summary: 'Что смотреть дальше',
  description:
    'Что показать после объекта (item) или после сессии (items) — ровно одно из двух; самих этих объектов в ответе нет. ' +
    'Пользователь не обязателен. Удалённый или недоступный объект отвечает по-прежнему; объекта, которого никогда не было, — 404.',
  body: {
    schema: NextRequest,
    rules: subjectFaults,
    maxBytes: MAX_OUTPUT_BYTES,
    example: { items: ['lesson-41', 'lesson-42'], user: { anonymous_id: 'device-1' }, limit: 10 },
  },
  replies: {
    200: {
      description: 'Выдача',
      schema: OutputResponse,
      example: {
        recommendation_id: 'r1c.3q2-7wAAAAAAAAAAAAAAAA',
        mode: 'contextual',
        model: null,
        items: [{ id: 'lesson-43', position: 0, score: 1.32, reason: { code: 'because_item', item: 'lesson-42' } }],
        next_cursor: null,
      },
    },
  },
  errors: [404, 413, 422],
  handle: ({ caller, body }, { output }) =>
    answerOutput(output, caller, {
      path: nextPath,
      body,
      subjects: body.item === undefined ? (body.items ?? []) : [body.item],
    }),
});

/** Exactly one of the two is required. */
function subjectFaults(body: unknown): FieldFault[] {
  if (typeof body !== 'object' || body === null) return [];
  const hasItem = 'item' in body;
  const hasItems = 'items' in body;
  if (hasItem && hasItems) return [{ field: 'items', code: 'invalid_value' }];
  return hasItem || hasItems ? [] : [{ field: 'item', code: 'required' }];
}
