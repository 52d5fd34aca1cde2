/** GET /event-types. */
import Type from 'typebox';
import { listEventTypes } from '../../../db/events/eventTypes.ts';
import { DEFAULT_EVENT_TYPES } from '../../../domain/events/eventTypes.ts';
import { define } from '../contentOperation.ts';
import { EventTypeOut, toEventTypeOut } from './eventTypeFields.ts';

export const listEventTypesOperation = define({
  method: 'get',
  path: '/event-types',
  operationId: 'listEventTypes',
  tag: 'events',
  summary: 'Типы событий проекта, отключённые тоже',
  replies: {
    200: {
      description: 'Типы событий по коду',
      schema: Type.Array(EventTypeOut),
      example: DEFAULT_EVENT_TYPES.slice(0, 3),
    },
  },
  errors: [],
  async handle({ caller }, { pool }) {
    const types = await listEventTypes(pool, caller.projectId);
    return { status: 200, body: types.map(toEventTypeOut) };
  },
});
