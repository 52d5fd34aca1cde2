/** Types of interaction: how their events are stored, and their weights. */
import { MAX_EVENT_AGE_DAYS } from './occurredAt.ts';

/** fact: every event counts, except for repeats within the window; max: the largest value; state: the last one. */
export const EVENT_MODES = ['fact', 'max', 'state'] as const;
export type EventMode = (typeof EVENT_MODES)[number];

export const VALUE_KINDS = ['none', 'number', 'percent', 'watch_seconds'] as const;
export type ValueKind = (typeof VALUE_KINDS)[number];

/** An event type, with the field names of the content API. */
export interface EventType {
  code: string;
  title: string;
  mode: EventMode;
  /** May be negative. */
  weight: number;
  value_kind: ValueKind;
  /**
   * Engagement multipliers by threshold. The weight is multiplied by that of the highest threshold that the value
   * reaches.
   */
  value_map: Record<string, number> | null;
  /** For facts: a second event of the same user and item within this many seconds is a duplicate; 0 keeps all. */
  dedup_window_sec: number;
  /** Number of days after the event for which the item and similar ones are not shown. */
  suppress_similar_days: number;
  is_impression: boolean;
  is_open: boolean;
  is_goal: boolean;
  is_purchase: boolean;
  hides_item: boolean;
  is_active: boolean;
}

/** Limits for the cabinet: wide enough for anything sensible, narrow enough to keep sums exact. */
export const MAX_TYPES = 100;
export const MAX_WEIGHT = 1_000_000;
export const MAX_THRESHOLDS = 50;
export const MAX_MULTIPLIER = 1_000;
/** A year. */
export const MAX_WINDOW_SECONDS = 31_536_000;
export const MAX_SUPPRESS_DAYS = MAX_EVENT_AGE_DAYS;

const PLAIN = {
  mode: 'fact',
  value_kind: 'none',
  value_map: null,
  dedup_window_sec: 0,
  suppress_similar_days: 0,
  is_impression: false,
  is_open: false,
  is_goal: false,
  is_purchase: false,
  hides_item: false,
  is_active: true,
} satisfies Partial<EventType>;

/** The event types of a new project (docs/decisions/event-types.md). */
export const DEFAULT_EVENT_TYPES: readonly EventType[] = [
  { ...PLAIN, code: 'impression', title: 'Показ', weight: 0, is_impression: true },
  { ...PLAIN, code: 'open', title: 'Открытие', weight: 1, is_open: true },
  {
    ...PLAIN,
    code: 'view',
    title: 'Просмотр',
    mode: 'max',
    weight: 1,
    value_kind: 'percent',
    value_map: { 0: 0.1, 25: 0.5, 50: 1, 75: 1.5, 95: 2 },
  },
  {
    ...PLAIN,
    code: 'watch',
    title: 'Время просмотра',
    mode: 'max',
    weight: 1,
    value_kind: 'watch_seconds',
    value_map: { 0: 0.1, 30: 0.5, 120: 1, 600: 2 },
  },
  { ...PLAIN, code: 'like', title: 'Нравится', mode: 'state', weight: 3 },
  { ...PLAIN, code: 'dislike', title: 'Не нравится', mode: 'state', weight: -4 },
  { ...PLAIN, code: 'favourite', title: 'В избранном', mode: 'state', weight: 4 },
  { ...PLAIN, code: 'share', title: 'Поделились', weight: 4 },
  { ...PLAIN, code: 'comment', title: 'Комментарий', weight: 3 },
  { ...PLAIN, code: 'hide', title: 'Скрыто', mode: 'state', weight: -6, hides_item: true },
  { ...PLAIN, code: 'cart', title: 'В корзине', weight: 4 },
  { ...PLAIN, code: 'purchase', title: 'Покупка', weight: 8, value_kind: 'number', is_goal: true, is_purchase: true },
];

type Rule = readonly [field: keyof EventType, isBroken: (type: EventType) => boolean];

/** Rules over several fields, by the field that is reported. */
const RULES: readonly Rule[] = [
  // Impressions are counted, and purchases come from order lines: both have the mode `fact`, and no type is both.
  [
    'is_impression',
    ({ is_impression: isImpression, mode, is_purchase: isPurchase }) => isImpression && (mode !== 'fact' || isPurchase),
  ],
  ['is_purchase', ({ is_purchase: isPurchase, mode }) => isPurchase && mode !== 'fact'],
  [
    'value_kind',
    ({ mode, value_kind: kind, is_impression: isImpression }) =>
      mode === 'max' ? kind === 'none' : (mode === 'state' || isImpression) && kind !== 'none',
  ],
  [
    'dedup_window_sec',
    ({ mode, dedup_window_sec: window, is_impression: isImpression }) =>
      window > 0 && (mode !== 'fact' || isImpression),
  ],
  ['value_map', ({ value_map: map, value_kind: kind }) => map !== null && kind === 'none'],
];

/** A threshold: a plain decimal number. */
const THRESHOLD = /^-?\d{1,9}(\.\d{1,6})?$/;

/** Returns the fields of a type that contradict others, such as `value_map.150`; empty when it is valid. */
export function eventTypeFaults(type: EventType): string[] {
  const fields: string[] = RULES.filter(([, isBroken]) => isBroken(type)).map(([field]) => field);
  const thresholds = Object.keys(type.value_map ?? {}).filter((threshold) => !isThreshold(threshold, type.value_kind));
  return [...fields, ...thresholds.map((threshold) => `value_map.${threshold}`)];
}

function isThreshold(text: string, kind: ValueKind): boolean {
  if (!THRESHOLD.test(text)) return false;
  const value = Number(text);
  if (kind === 'percent') return value >= 0 && value <= 100;
  return kind === 'number' || value >= 0;
}
