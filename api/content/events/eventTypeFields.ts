/** Event types in responses of both APIs and in requests of the cabinet. */
import Type from 'typebox';
import { TITLE_MAX_LENGTH } from '../../../domain/accounts/titleLength.ts';
import {
  EVENT_MODES,
  MAX_MULTIPLIER,
  MAX_SUPPRESS_DAYS,
  MAX_THRESHOLDS,
  MAX_WEIGHT,
  MAX_WINDOW_SECONDS,
  VALUE_KINDS,
  type EventType,
} from '../../../domain/events/eventTypes.ts';
import { nullable, oneOf, strictObject, text, type Static } from '../../../domain/schemas/schema.ts';

const title = text(TITLE_MAX_LENGTH, { minLength: 1 });
const mode = oneOf(EVENT_MODES, { description: 'fact — факты, max — наибольшее значение, state — последнее значение' });
const weight = Type.Number({ minimum: -MAX_WEIGHT, maximum: MAX_WEIGHT, description: 'Может быть отрицательным' });
const valueKind = oneOf(VALUE_KINDS);
const valueMap = nullable(
  Type.Unsafe<Record<string, number>>({
    type: 'object',
    maxProperties: MAX_THRESHOLDS,
    additionalProperties: { type: 'number', minimum: -MAX_MULTIPLIER, maximum: MAX_MULTIPLIER },
    description: 'Пороги значения и множители вовлечённости с этого порога',
  }),
);
const window = Type.Integer({
  minimum: 0,
  maximum: MAX_WINDOW_SECONDS,
  description: 'Секунды, для fact: второе событие того же пользователя и объекта внутри окна — дубликат; 0 — без окна',
});
const suppressDays = Type.Integer({
  minimum: 0,
  maximum: MAX_SUPPRESS_DAYS,
  description: 'Дней после события, когда объект и похожие не показываются',
});

export const EventTypeOut = Type.Object(
  {
    code: Type.String(),
    title,
    mode,
    weight,
    value_kind: valueKind,
    value_map: valueMap,
    dedup_window_sec: window,
    suppress_similar_days: suppressDays,
    is_impression: Type.Boolean(),
    is_open: Type.Boolean(),
    is_goal: Type.Boolean(),
    is_purchase: Type.Boolean(),
    hides_item: Type.Boolean(),
    is_active: Type.Boolean(),
  },
  { title: 'EventTypeOut' },
);

const optionalFlag = Type.Optional(Type.Boolean({ default: false }));

/** The complete type: missing fields get their defaults. */
export const EventTypePut = strictObject(
  {
    title,
    mode,
    weight,
    value_kind: valueKind,
    value_map: Type.Optional(valueMap),
    dedup_window_sec: Type.Optional(window),
    suppress_similar_days: Type.Optional(suppressDays),
    is_impression: optionalFlag,
    is_open: optionalFlag,
    is_goal: optionalFlag,
    is_purchase: optionalFlag,
    hides_item: optionalFlag,
    is_active: Type.Optional(Type.Boolean({ default: true })),
  },
  { title: 'EventTypePut' },
);

/** Returns the type that a PUT defines. */
export function eventTypeOf(code: string, body: Static<typeof EventTypePut>): EventType {
  return {
    value_map: null,
    dedup_window_sec: 0,
    suppress_similar_days: 0,
    is_impression: false,
    is_open: false,
    is_goal: false,
    is_purchase: false,
    hides_item: false,
    is_active: true,
    ...body,
    code,
  };
}

/** Returns the type without internal fields. */
export function toEventTypeOut(type: EventType): Static<typeof EventTypeOut> {
  return {
    code: type.code,
    title: type.title,
    mode: type.mode,
    weight: type.weight,
    value_kind: type.value_kind,
    value_map: type.value_map,
    dedup_window_sec: type.dedup_window_sec,
    suppress_similar_days: type.suppress_similar_days,
    is_impression: type.is_impression,
    is_open: type.is_open,
    is_goal: type.is_goal,
    is_purchase: type.is_purchase,
    hides_item: type.hides_item,
    is_active: type.is_active,
  };
}
