/** POST /recommendations/feed */
import { feedPath } from '../../../output/serve/request/pathsAndDefaults.ts';
import { strictObject } from '../../../domain/schemas/schema.ts';
import { define } from '../contentOperation.ts';
import { answerOutput } from './outputAnswer.ts';
import { MAX_OUTPUT_BYTES } from '../../../domain/output/requestLimits.ts';
import { authorLimitField, outputRequestFields, OutputResponse } from './outputFields.ts';

const FeedRequest = strictObject({ ...outputRequestFields, ...authorLimitField }, { title: 'FeedRequest' });

export const feedOperation = define({
  method: 'post',
  path: '/recommendations/feed',
  operationId: 'recommendFeed',
  tag: 'recommendations',
  limitGroup: 'output',
  summary: 'Лента пользователя',
  description:
    'Что показать этому пользователю: по его событиям, заказам, интересам и авторам, на которых он подписан. Принятое событие ' +
    'учитывается в следующем же запросе. О ком ничего не известно, тому — популярное и новое. Меньше limit — верный ответ: ' +
    'выдача не дополняется тем, что нарушает правила.',
  body: {
    schema: FeedRequest,
    maxBytes: MAX_OUTPUT_BYTES,
    example: { user: { user_id: 'user-7' }, surface: 'main', limit: 10, fields: ['title', 'url'] },
  },
  replies: {
    200: {
      description: 'Выдача',
      schema: OutputResponse,
      example: {
        recommendation_id: 'r1p.3q2-7wAAAAAAAAAAAAAAAA',
        mode: 'personal',
        model: null,
        items: [
          {
            id: 'lesson-43',
            position: 0,
            score: 1.07,
            reason: { code: 'because_item', item: 'lesson-42' },
            fields: { title: 'Трамваи Петербурга', url: 'https://shop.example/lesson-43' },
          },
        ],
        next_cursor: null,
      },
    },
  },
  errors: [413, 422],
  handle: ({ caller, body }, { output }) => answerOutput(output, caller, { path: feedPath, body, subjects: [] }),
});
