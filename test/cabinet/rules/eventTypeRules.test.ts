/** The request of the form of an event type. */
import { expect, it } from '@jest/globals';
import {
  draftOf,
  putOf,
  wrongFieldsOf,
} from '../../../cabinet/src/pages/content/settings/eventTypes/eventTypeDraft.ts';
import type { EventType } from '../../../cabinet/src/data/project/projectSettings.ts';

const WATCH: EventType = {
  code: 'watch',
  title: 'Watched',
  mode: 'max',
  weight: 1,
  value_kind: 'percent',
  value_map: { 0: 0.1, 50: 1 },
  dedup_window_sec: 0,
  suppress_similar_days: 0,
  is_impression: false,
  is_open: true,
  is_goal: false,
  is_purchase: false,
  hides_item: false,
  is_active: true,
};

it.each([
  [1, { 0: 0.1, 50: 1 }],
  [-1 / 3, { 0: 1 / 3, 99.5: 2 / 3 }],
  [1e-7, { 0: 1e-7 }],
  [1 / 700_000, { 0: 1 / 700_000 }],
])('the form of an event type sends an unchanged type as it was: weight %d, %j', (weight, map) => {
  const type = { ...WATCH, weight, value_map: map };
  const { code, ...rest } = type;
  expect(wrongFieldsOf(draftOf(type))).toEqual(new Set());
  expect(putOf(draftOf(type))).toEqual(rest);
  expect(draftOf(type).code).toBe(code);
});
