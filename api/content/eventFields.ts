/** An event as requests carry it. */
import Type from 'typebox';
import type { SentEvent } from '../../domain/judgeEvents.ts';
import { parseDateTime } from '../../domain/dateTime.ts';
import { dateTime, nullable, strictObject, text, type Static } from '../../schemas/schema.ts';
import { endUserOf } from './endUser.ts';

const RECOMMENDATION_ID_MAX = 191;

/** The form of an identifier is the element's own matter: a bad one is `invalid_user`, none is `no_user`. */
const EventUser = strictObject(
  {
    user_id: Type.Optional(
      nullable(Type.String({ description: 'Учётная запись на стороне клиента, от 1 до 191 символа' })),
    ),
    anonymous_id: Type.Optional(
      nullable(Type.String({ description: 'Браузер или устройство, от 1 до 191 печатного символа ASCII' })),
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

/** Ranges of numbers are the element's own matter too (`invalid_value`). */
export const EventIn = strictObject(
  {
    id: text(64, { pattern: '^[ -~]+$', description: 'Уникален в проекте, печатные символы ASCII; повтор — дубликат' }),
    type: Type.String({ description: 'Код типа события проекта' }),
    item: text(191, { description: 'Идентификатор объекта' }),
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
        dateTime({
          description:
            'По умолчанию — время приёма; оно же вместо времени в будущем дальше 5 минут. Старше 730 дней — too_old',
        }),
      ),
    ),
    recommendation_id: Type.Optional(
      nullable(text(RECOMMENDATION_ID_MAX, { description: 'Выдача, из которой пришёл пользователь' })),
    ),
    surface: Type.Optional(nullable(text(16, { description: 'Место показа, например feed или next' }))),
    position: Type.Optional(nullable(Type.Integer({ description: 'Позиция в выдаче с нуля, до 65535' }))),
    order_id: Type.Optional(
      nullable(
        text(64, {
          minLength: 1,
          pattern: '^[ -~]+$',
          description: 'Печатные символы ASCII; строки одного заказа образуют пары «вместе»',
        }),
      ),
    ),
    quantity: Type.Optional(nullable(Type.Number({ description: 'От 0' }))),
    price: Type.Optional(nullable(Type.Number({ description: 'От 0' }))),
  },
  { title: 'EventIn' },
);
export type EventIn = Static<typeof EventIn>;

/** A valid event, absent fields null. */
export function sentEvent(event: EventIn): SentEvent {
  const { occurred_at: occurredAt } = event;
  return {
    id: event.id,
    type: event.type,
    item: event.item,
    user: endUserOf(event.user),
    value: event.value ?? null,
    occurredAt: occurredAt === undefined || occurredAt === null ? null : parseDateTime(occurredAt),
    recommendationId: event.recommendation_id ?? null,
    surface: event.surface ?? null,
    position: event.position ?? null,
    orderId: event.order_id ?? null,
    quantity: event.quantity ?? null,
    price: event.price ?? null,
  };
}
