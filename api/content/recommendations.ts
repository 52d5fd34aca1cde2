/** POST /recommendations/similar */
import { readKnownIds } from '../../db/output/fields.ts';
import { serveOutput } from '../../output/serve/serve.ts';
import { strictObject } from '../../schemas/schema.ts';
import { notFound } from '../http/errors.ts';
import { define } from './define.ts';
import { toOutputBody } from './outputAnswer.ts';
import { MAX_OUTPUT_BYTES, outputRequestFields, OutputResponse, subjectItem } from './outputFields.ts';
import { readOutputRequest } from './outputRequest.ts';

const SimilarRequest = strictObject({ item: subjectItem, ...outputRequestFields }, { title: 'SimilarRequest' });

export const similarOperation = define({
  method: 'post',
  path: '/recommendations/similar',
  operationId: 'recommendSimilar',
  tag: 'recommendations',
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
        model: 'builtin:hashed-words-1',
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
  async handle({ caller, body }, { pool, output }) {
    const request = await readOutputRequest(pool, caller, body, { subjects: [body.item], includeSeen: true });
    const known = await readKnownIds(pool, caller.projectId, request.subjects);
    if (!known.has(body.item)) throw notFound();
    return { status: 200, body: await toOutputBody(pool, request, await serveOutput(output, request)) };
  },
});
