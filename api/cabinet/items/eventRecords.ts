/** Events and rejections as the cabinet shows them: their schemas, examples and conversions. */
import Type from 'typebox';
import type { LatestEvent } from '../../../db/events/latest.ts';
import type { StoredRejection } from '../../../db/events/rejections.ts';
import { EVENT_REJECTIONS } from '../../../domain/events/validateEvents.ts';
import { dateTime, nullable, oneOf, text, type Static } from '../../../domain/schemas/schema.ts';

export const thousands = (count: number): string => `${count / 1_000} 000`;
export const eventType = (where: string) =>
  Type.Optional(text(64, { minLength: 1, description: `Код типа; только такие ${where}` }));

export const maybeText = nullable(Type.String());
export const maybeNumber = nullable(Type.Number());

const SentUser = Type.Object(
  { user_id: maybeText, anonymous_id: maybeText, fingerprint_uuid: maybeText },
  { title: 'SentUser', description: 'Кому принадлежит событие: устройство учётной записи — учётной записи' },
);

export const ProjectEvent = Type.Object(
  {
    id: nullable(Type.String({ description: 'null у max и state: хранится событие, которое засчитано, без его id' })),
    type: Type.String(),
    item: Type.String(),
    user: SentUser,
    value: maybeNumber,
    occurred_at: dateTime(),
    received_at: dateTime(),
    recommendation_id: maybeText,
    surface: maybeText,
    position: nullable(Type.Integer()),
    order_id: maybeText,
    quantity: maybeNumber,
    price: maybeNumber,
  },
  { title: 'ProjectEvent' },
);

export const RejectedEvent = Type.Object(
  {
    code: oneOf(EVENT_REJECTIONS),
    id: nullable(Type.String({ description: 'null — такого id быть не может; так же с type, item и user' })),
    type: maybeText,
    item: maybeText,
    user: SentUser,
    received_at: dateTime(),
  },
  { title: 'RejectedEvent' },
);

const user = { user_id: 'user-17', anonymous_id: null, fingerprint_uuid: null };
export const eventExample: Static<typeof ProjectEvent> = {
  id: '6f1c2a7e-0b5d-4c55-9d0e-8a3f2b1c4d5e',
  type: 'open',
  item: 'lesson-42',
  user,
  value: null,
  occurred_at: '2026-11-20T09:04:11.275Z',
  received_at: '2026-11-20T09:04:11.301Z',
  recommendation_id: null,
  surface: 'feed',
  position: 3,
  order_id: null,
  quantity: null,
  price: null,
};
export const rejectionExample: Static<typeof RejectedEvent> = {
  code: 'unknown_item',
  id: 'a3d9f0c2-77e4-4b1b-8f6a-5c0e9d2b1a34',
  type: 'open',
  item: 'lesson-43',
  user,
  received_at: '2026-11-20T09:05:02.004Z',
};

export function eventOf(event: LatestEvent): Static<typeof ProjectEvent> {
  const { id, type, item, kind, externalId, value, surface, position, quantity, price } = event;
  return {
    id,
    type,
    item,
    user: {
      user_id: kind === 'user' ? externalId : null,
      anonymous_id: kind === 'anonymous' ? externalId : null,
      fingerprint_uuid: kind === 'fingerprint' ? externalId : null,
    },
    value,
    occurred_at: event.occurredAt.toISOString(),
    received_at: event.receivedAt.toISOString(),
    recommendation_id: event.recommendationId,
    surface,
    position,
    order_id: event.orderId,
    quantity,
    price,
  };
}

export function rejectionOf(rejection: StoredRejection): Static<typeof RejectedEvent> {
  const { code, eventId, type, item, receivedAt } = rejection;
  return {
    code,
    id: eventId,
    type,
    item,
    user: {
      user_id: rejection.userId,
      anonymous_id: rejection.anonymousId,
      fingerprint_uuid: rejection.fingerprint,
    },
    received_at: receivedAt.toISOString(),
  };
}
