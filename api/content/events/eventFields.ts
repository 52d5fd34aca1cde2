/** Events in requests. */
import Type from 'typebox';
import { ID_MAX_LENGTH } from '../../../domain/idLength.ts';
import type { SentEvent } from '../../../domain/events/validateEvents.ts';
import { parseDateTime } from '../../../domain/dateTime.ts';
import { MAX_RECOMMENDATION_ID } from '../../../domain/events/fieldRules.ts';
import { nullable, strictObject, type Static } from '../../../domain/schemas/schema.ts';
import { endUserOf } from '../endUser.ts';

/** The form of an identifier is checked per element: an invalid one is `invalid_user`, a missing one `no_user`. */
const EventUser = strictObject(
  {
    user_id: Type.Optional(
      nullable(Type.String({ description: `Учётная запись на стороне клиента, от 1 до ${ID_MAX_LENGTH} символа` })),
    ),
    anonymous_id: Type.Optional(
      nullable(
        Type.String({ description: `Браузер или устройство, от 1 до ${ID_MAX_LENGTH} печатного символа ASCII` }),
      ),
    ),
    fingerprint_uuid: Type.Optional(
      nullable(Type.String({ description: 'UUID службы отпечатков устройств; учитывается, если она подключена' })),
    ),
  },
  {
    title: 'EventUser',
    description:
      'Нужен хотя бы один идентификатор: иначе событие отклоняется с кодом no_user, а неверно записанное — с invalid_user',
  },
);

/**
 * Only the structure of an event. Lengths, ranges, alphabets and times are checked per element
 * (domain/events/fieldRules.ts): an invalid one is `invalid_value`, and the rest of the batch is accepted.
 */
export const EventIn = strictObject(
  {
    id: Type.String({ description: 'Уникален в проекте, от 1 до 64 печатных символов ASCII; повтор — дубликат' }),
    type: Type.String({ description: 'Код типа события проекта' }),
    item: Type.String({ description: `Идентификатор объекта, от 1 до ${ID_MAX_LENGTH} символа` }),
    user: EventUser,
    value: Type.Optional(
      nullable(
        Type.Number({
          description:
            'percent: 0–100; watch_seconds: секунды от 0; number: любое; состояния: 1 или 0, по умолчанию 1; иначе не учитывается',
        }),
      ),
    ),
    occurred_at: Type.Optional(
      nullable(
        Type.String({
          description:
            'ISO-8601 с часовым поясом. По умолчанию — время приёма; оно же вместо времени в будущем дальше 5 минут. Старше 730 дней — too_old',
        }),
      ),
    ),
    recommendation_id: Type.Optional(
      nullable(
        Type.String({ description: `Выдача, из которой пришёл пользователь; до ${MAX_RECOMMENDATION_ID} символов` }),
      ),
    ),
    surface: Type.Optional(
      nullable(Type.String({ description: 'Место показа, например feed или next; до 16 символов' })),
    ),
    position: Type.Optional(nullable(Type.Integer({ description: 'Позиция в выдаче с нуля, до 65535' }))),
    order_id: Type.Optional(
      nullable(
        Type.String({
          description: 'От 1 до 64 печатных символов ASCII; строки одного заказа образуют пары «вместе»',
        }),
      ),
    ),
    quantity: Type.Optional(nullable(Type.Number({ description: 'От 0' }))),
    price: Type.Optional(nullable(Type.Number({ description: 'От 0' }))),
  },
  {
    title: 'EventIn',
    description: 'Неверное значение поля — причина отклонить это событие (invalid_value), а не весь запрос',
  },
);
export type EventIn = Static<typeof EventIn>;

/** Converts a valid event; missing fields become null. */
export function sentEvent(event: EventIn): SentEvent {
  const { occurred_at: occurredAt } = event;
  return {
    id: event.id,
    type: event.type,
    item: event.item,
    user: endUserOf(event.user),
    value: event.value ?? null,
    occurredAt: typeof occurredAt === 'string' ? (parseDateTime(occurredAt) ?? 'invalid') : null,
    recommendationId: event.recommendation_id ?? null,
    surface: event.surface ?? null,
    position: event.position ?? null,
    orderId: event.order_id ?? null,
    quantity: event.quantity ?? null,
    price: event.price ?? null,
  };
}
