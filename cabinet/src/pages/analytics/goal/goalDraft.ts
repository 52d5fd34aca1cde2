/** A goal as form fields. */
import type { cabinet } from '../../../data/client.ts';
import { exhaustiveList } from '../../../data/exhaustiveList.ts';
import type { Goal } from '../../../data/sites/goals.ts';

export type GoalType = Goal['type'];
export type Op = NonNullable<NonNullable<Goal['match']>['op']>;
type Match = NonNullable<Goal['match']>;

/** The most frequent type is first. */
export const TYPES = exhaustiveList<GoalType>({ url: true, event: true, form: true, purchase: true, js: true });
export const OPS = exhaustiveList<Op>({ eq: true, starts: true, contains: true, regex: true });

/** Keeps the fields of each type while another type is selected. */
export interface Draft {
  code: string;
  title: string;
  type: GoalType;
  op: Op;
  address: string;
  event: string;
  /** Empty for any form. */
  form: string;
  /** A number as typed; empty for none. */
  value: string;
  isEnabled: boolean;
}

export const NEW: Draft = {
  code: '',
  title: '',
  type: 'url',
  op: 'starts',
  address: '',
  event: '',
  form: '',
  value: '',
  isEnabled: true,
};

export function draftOf({ code, title, type, match, value, enabled }: Goal): Draft {
  return {
    code,
    title,
    type,
    op: match?.op ?? NEW.op,
    address: match?.value ?? '',
    event: match?.name ?? '',
    form: match?.form_id ?? '',
    value: value === null ? '' : String(value),
    isEnabled: enabled,
  };
}

/** Returns the condition for the request; null if the type alone determines it. */
function matchOf({ type, op, address, event, form }: Draft): Match | null {
  switch (type) {
    case 'url':
      // A trailing space in a pattern may be intended.
      return { op, value: op === 'regex' ? address : address.trim() };
    case 'event':
      return { name: event.trim() };
    case 'form':
      return form.trim() === '' ? null : { form_id: form.trim() };
    case 'js':
    case 'purchase':
      return null;
  }
}

/** Returns the request body of a draft without faults. */
export function putOf(draft: Draft): cabinet.GoalPut {
  return {
    title: draft.title.trim(),
    type: draft.type,
    match: matchOf(draft),
    value: amountOf(draft.value) ?? null,
    enabled: draft.isEnabled,
  };
}

/** Returns the condition to try on recent hits; null for a type that hits do not indicate. */
export function tryOf(draft: Draft): cabinet.GoalTry | null {
  return draft.type === 'js' ? null : { type: draft.type, match: matchOf(draft) };
}

export type WrongField = 'code' | 'taken' | 'title' | 'address' | 'event' | 'value';

/**
 * Returns the fields that are invalid.
 * @param taken codes of the site's other goals
 */
export function wrongFieldsOf(draft: Draft, taken: ReadonlySet<string>): ReadonlySet<WrongField> {
  const checks: [WrongField, boolean][] = [
    ['code', /^[a-z0-9_-]{1,64}$/.test(draft.code)],
    ['taken', !taken.has(draft.code)],
    ['title', draft.title.trim() !== ''],
    ['value', amountOf(draft.value) !== undefined],
    ...missing(draft).map((field): [WrongField, boolean] => [field, false]),
  ];
  return new Set(checks.filter(([, isRight]) => !isRight).map(([wrong]) => wrong));
}

/** Returns the missing parts of the condition. */
export function missing({ type, address, event }: Draft): ('address' | 'event')[] {
  if (type === 'url' && address.trim() === '') return ['address'];
  return type === 'event' && event.trim() === '' ? ['event'] : [];
}

/** As JavaScript writes any amount that the API accepts, so that a stored one is right: `33.333333333333336`, `1e-7`. */
const AMOUNT = /^\d{1,13}(?:\.\d{1,22})?(?:e-\d{1,3})?$/;

/**
 * Parses an amount, whose decimal separator may be a comma. Returns null for an empty text and undefined for an invalid
 * one.
 */
function amountOf(text: string): number | null | undefined {
  const plain = text.trim().replace(',', '.');
  if (plain === '') return null;
  return AMOUNT.test(plain) ? Number(plain) : undefined;
}
