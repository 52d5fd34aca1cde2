/** POST /events. */
import Type from 'typebox';
import { takeEvents } from '../../../db/events/takeEvents.ts';
import { EVENT_REJECTIONS } from '../../../domain/events/validateEvents.ts';
import { nullable, oneOf, OWN_VALUES, strictObject } from '../../../domain/schemas/schema.ts';
import { define } from '../contentOperation.ts';
import { EventIn, sentEvent } from './eventFields.ts';

const EVENTS_MAX = 1_000;

const EventsRequest = strictObject(
  { events: Type.Array(EventIn, { maxItems: EVENTS_MAX, [OWN_VALUES]: true }) },
  { title: 'EventsRequest' },
);

const EventRejection = Type.Object(
  {
    index: Type.Integer({ minimum: 0, description: 'Место события в запросе, с нуля' }),
    id: nullable(Type.String()),
    code: oneOf(EVENT_REJECTIONS),
  },
  { title: 'EventRejection' },
);

const EventsResponse = Type.Object(
  {
    accepted: Type.Integer({ minimum: 0 }),
    duplicates: Type.Integer({
      minimum: 0,
      description: 'Повторы id и события внутри окна дедупликации: они ничего не меняют',
    }),
    rejected: Type.Array(EventRejection),
  },
  { title: 'EventsResponse', description: 'accepted + duplicates + число rejected = число событий запроса' },
);

export const postEventsOperation = define({
  method: 'post',
  path: '/events',
  operationId: 'postEvents',
  tag: 'events',
  summary: 'Передать события взаимодействия',
  description: 'До 1000 событий. Отклонённые перечислены в rejected и не мешают остальным; повтор запроса безопасен.',
  body: {
    schema: EventsRequest,
    example: {
      events: [
        {
          id: '6f1c2a7e-0b5d-4c55-9d0e-8a3f2b1c4d5e',
          type: 'open',
          item: 'lesson-42',
          user: { user_id: 'user-17' },
          surface: 'feed',
          position: 3,
        },
        {
          id: 'a3d9f0c2-77e4-4b1b-8f6a-5c0e9d2b1a34',
          type: 'view',
          item: 'lesson-42',
          user: { anonymous_id: 'b-5521' },
          value: 80,
        },
      ],
    },
    batch: { field: 'events', max: EVENTS_MAX },
  },
  replies: {
    202: {
      description: 'События приняты',
      schema: EventsResponse,
      example: {
        accepted: 1,
        duplicates: 0,
        rejected: [{ index: 1, id: 'a3d9f0c2-77e4-4b1b-8f6a-5c0e9d2b1a34', code: 'unknown_item' }],
      },
    },
  },
  errors: [413, 422],
  async handle({ caller, body }, { pool, impressionIdDays }) {
    const receivedAt = new Date();
    const outcome = await takeEvents(pool, body.events.map(sentEvent), {
      projectId: caller.projectId,
      fingerprints: caller.fingerprints,
      receivedAt,
      impressionIdDays,
    });
    return { status: 202, body: outcome };
  },
});
