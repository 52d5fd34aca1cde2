/** POST /recommendations/similar */
import { similarPath } from '../../../output/serve/request/pathsAndDefaults.ts';
import { strictObject } from '../../../domain/schemas/schema.ts';
import { define } from '../contentOperation.ts';
import { answerOutput } from './outputAnswer.ts';
import { MAX_OUTPUT_BYTES } from '../../../domain/output/requestLimits.ts';
import { outputRequestFields, OutputResponse, subjectItem } from './outputFields.ts';

const SimilarRequest = strictObject({ item: subjectItem, ...outputRequestFields }, { title: 'SimilarRequest' });

export const similarOperation = define({
  method: 'post',
  path: '/recommendations/similar',
  operationId: 'recommendSimilar',
  tag: 'recommendations',
  limitGroup: 'output',
  summary: 'Похожие объекты',
  description:
    'Объекты, близкие к названному по содержанию. Меньше limit — верный ответ: выдача не дополняется тем, что нарушает правила. ' +
    'Удалённый или недоступный объект отвечает по-прежнему; объекта, которого никогда не было, — 404.',
  body: {
    schema: SimilarRequest,
    maxBytes: MAX_OUTPUT_BYTES,
    example: { item: 'lesson-42', user: { user_id: 'user-7' }, limit: 10, fields: ['title', 'url'] },
  },
  replies: {
    200: {
      description: 'Выдача',
      schema: OutputResponse,
      example: {
        recommendation_id: 'r1c.3q2-7wAAAAAAAAAAAAAAAA',
        mode: 'contextual',
        model: 'builtin-embed-2',
        items: [
          {
            id: 'lesson-43',
            position: 0,
            score: 0.82,
            reason: { code: 'similar', item: 'lesson-42' },
            fields: { title: 'Трамваи Петербурга', url: 'https://shop.example/lesson-43' },
          },
        ],
        next_cursor: null,
      },
    },
  },
  errors: [404, 413, 422],
  handle: ({ caller, body }, { output }) =>
    answerOutput(output, caller, { path: similarPath, body, subjects: [body.item] }),
});
