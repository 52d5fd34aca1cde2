/** An event type as form fields. */
import type { cabinet } from '../../../../data/client.ts';
import { FLAGS, flagsOf, type Flag } from '../../../../data/project/eventTypes.ts';
import type { EventType } from '../../../../data/project/projectSettings.ts';

export interface Draft {
  code: string;
  title: string;
  mode: EventType['mode'];
  value: EventType['value_kind'];
  /** Numbers as typed. */
  weight: string;
  window: string;
  suppress: string;
  /** Lines of `value: multiplier`. */
  map: string;
  flags: readonly Flag[];
  isActive: boolean;
}

export const NEW: Draft = {
  code: '',
  title: '',
  mode: 'fact',
  value: 'none',
  weight: '1',
  window: '0',
  suppress: '0',
  map: '',
  flags: [],
  isActive: true,
};

export function draftOf(type: EventType): Draft {
  const lines = Object.entries(type.value_map ?? {}).map(([value, multiplier]) => `${value}: ${multiplier}`);
  return {
    code: type.code,
    title: type.title,
    mode: type.mode,
    value: type.value_kind,
    weight: String(type.weight),
    window: String(type.dedup_window_sec),
    suppress: String(type.suppress_similar_days),
    map: lines.join('\n'),
    flags: flagsOf(type),
    isActive: type.is_active,
  };
}

/** Returns the fields with invalid values. */
export function wrongFieldsOf(draft: Draft): ReadonlySet<keyof Draft> {
  const checks: [keyof Draft, boolean][] = [
    ['code', /^[A-Za-z0-9._:-]{1,64}$/.test(draft.code)],
    ['title', draft.title.trim() !== ''],
    ['weight', numberOf(draft.weight) !== null],
    ['window', /^\d{1,9}$/.test(draft.window)],
    ['suppress', /^\d{1,9}$/.test(draft.suppress)],
    ['map', mapOf(draft.map) !== undefined],
  ];
  return new Set(checks.filter(([, isRight]) => !isRight).map(([field]) => field));
}

/** Returns the request of a draft without invalid fields. */
export function putOf(draft: Draft): cabinet.EventTypePut {
  const flags = Object.fromEntries(FLAGS.map((flag) => [flag, draft.flags.includes(flag)]));
  return {
    ...flags,
    title: draft.title.trim(),
    mode: draft.mode,
    weight: numberOf(draft.weight) ?? 0,
    value_kind: draft.value,
    value_map: mapOf(draft.map) ?? null,
    dedup_window_sec: Number(draft.window),
    suppress_similar_days: Number(draft.suppress),
    is_active: draft.isActive,
  };
}

/** Parses the lines. Returns null if there are none, and undefined if one is invalid. */
function mapOf(text: string): Record<string, number> | null | undefined {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length === 0) return null;
  const pairs = lines.map((line) => /^\s*(-?[\d.]+)\s*:\s*(\S+)\s*$/.exec(line));
  const map = new Map<string, number>();
  for (const pair of pairs) {
    const [, value, multiplier = ''] = pair ?? [];
    const number = numberOf(multiplier);
    if (value === undefined || number === null) return undefined;
    map.set(value, number);
  }
  return Object.fromEntries(map);
}

/** As JavaScript writes any number that the API accepts, so that a stored one is right: `0.3333333333333333`, `1e-7`. */
const NUMBER = /^-?\d{1,9}(?:\.\d{1,22})?(?:e-\d{1,3})?$/;

/** Parses a number; the decimal separator may be a comma. */
function numberOf(text: string): number | null {
  const plain = text.trim().replace(',', '.').replace('−', '-');
  return NUMBER.test(plain) ? Number(plain) : null;
}
