import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { statusFromSteps } from '../../../domain/items/status.ts';
import {
  COUNTED_MEDIA_STEPS,
  COUNTED_TEXT_STEPS,
  DEPENDENCIES,
  isFinished,
  isMediaStep,
  ITEM_STEPS,
  mapSteps,
  MEDIA_STEPS,
  NAMED_STEPS,
  statesOf,
  STEP_STATES,
  STEPS,
  withAllSteps,
  type ItemStatus,
  type Step,
  type StepRecords,
  type StepState,
  type StepStates,
} from '../../../domain/analysis/steps.ts';

/** Returns all 7^5 combinations of step states: the digits of the numbers below 7^5. */
function allStates(): StepStates[] {
  const digit = (number: number, place: number): StepState =>
    STEP_STATES[Math.floor(number / 7 ** place) % 7] ?? 'queued';
  return Array.from({ length: 7 ** 5 }, (_, number) => mapSteps((step) => digit(number, STEPS.indexOf(step))));
}

/**
 * Implements the documented rules independently, by counting, in the order in which the decisions state them. A skipped
 * step did not run; a deferred one did (it was tried).
 */
function oracle(states: StepStates, hasVectors: boolean): ItemStatus {
  const count = { queued: 0, running: 0, done: 0, skipped: 0, failed: 0, deferred: 0, waiting: 0 };
  for (const state of Object.values(states)) count[state] += 1;
  if (count.running > 0) return 'processing';
  if (count.queued === 5) return 'queued';
  const left = count.queued + count.deferred + count.waiting;
  if (left === 0 && !hasVectors) return 'failed';
  if (left === 0 && count.failed > 0) return 'partial';
  if (left === 0) return 'ready';
  if (left === count.deferred) return 'deferred';
  const ran = count.done + count.failed + count.deferred;
  return ran > 0 ? 'processing' : 'queued';
}

describe('statusFromSteps', () => {
  // proves: states/object-statuses, read/status, decisions-items/status, decisions-items/waiting
  it('follows the rules for every combination of step states', () => {
    const wrong: unknown[] = [];
    let cases = 0;
    for (const states of allStates()) {
      for (const hasVectors of [true, false]) {
        cases += 1;
        const [is, ought] = [statusFromSteps(states, hasVectors), oracle(states, hasVectors)];
        if (is !== ought) wrong.push({ ...states, hasVectors, is, ought });
      }
    }
    expect(cases).toBe(2 * 7 ** 5);
    expect(wrong.slice(0, 5)).toEqual([]);
  });

  it.each<[string, StepState[], boolean, ItemStatus]>([
    ['a new item', ['queued', 'queued', 'queued', 'queued', 'queued'], false, 'queued'],
    ['a text whose analysis has not begun', ['skipped', 'skipped', 'skipped', 'queued', 'queued'], false, 'queued'],
    // proves: decisions-items/waiting
    ['a text that waits for analysis volume', ['skipped', 'skipped', 'skipped', 'waiting', 'waiting'], false, 'queued'],
    [
      'a video that waits for analysis volume halfway',
      ['done', 'waiting', 'waiting', 'queued', 'queued'],
      false,
      'processing',
    ],
    ['a finished text', ['skipped', 'skipped', 'skipped', 'done', 'done'], true, 'ready'],
    ['a finished text without vectors', ['skipped', 'skipped', 'skipped', 'done', 'skipped'], false, 'failed'],
    ['a failed summary with vectors', ['skipped', 'skipped', 'skipped', 'failed', 'done'], true, 'partial'],
    ['nothing but old vectors', ['failed', 'failed', 'failed', 'failed', 'failed'], true, 'partial'],
    ['a host that does not answer', ['deferred', 'deferred', 'deferred', 'deferred', 'deferred'], false, 'deferred'],
    ['some steps done and the others deferred', ['done', 'deferred', 'done', 'deferred', 'deferred'], true, 'deferred'],
  ])('%s', (_, [prepare, speech, vision, summary, embedding], hasVectors, status) => {
    const states = { prepare, speech, vision, summary, embedding } as StepStates;
    expect(statusFromSteps(states, hasVectors)).toBe(status);
  });
});

describe('statesOf', () => {
  const record = (state: StepState): StepRecords[Step] => ({
    state,
    revision: 1,
    deferrals: 0,
    retryAt: null,
    error: null,
  });
  const recordsOf = (states: StepStates): StepRecords => mapSteps((step) => record(states[step]));

  // proves: states/step-states, read/processing
  it('shows a queued step as deferred exactly if it waits, directly or not, for a deferred one', () => {
    const ancestors: Record<Step, Step[]> = {
      prepare: [],
      speech: ['prepare'],
      vision: ['prepare'],
      summary: ['prepare', 'speech', 'vision'],
      embedding: ['prepare', 'speech', 'vision', 'summary'],
    };
    /** An unfinished step blocks the steps that depend on it. */
    const waitsForDeferred = (states: StepStates, step: Step): boolean =>
      ancestors[step].some((other) => states[other] === 'deferred' && pathIsOpen(states, other, step));
    const pathIsOpen = (states: StepStates, from: Step, to: Step): boolean =>
      DEPENDENCIES[to].some(
        (other) => other === from || (!isFinished(states[other]) && pathIsOpen(states, from, other)),
      );
    const ought = (states: StepStates): StepStates =>
      mapSteps((step) => (states[step] === 'queued' && waitsForDeferred(states, step) ? 'deferred' : states[step]));
    for (const states of allStates()) expect([states, statesOf(recordsOf(states))]).toEqual([states, ought(states)]);
  });
});

describe('the tables of steps', () => {
  it('names the media steps', () => {
    expect(STEPS.filter(isMediaStep)).toEqual(['prepare', 'speech', 'vision']);
  });

  it('lists every step before those that depend on it', () => {
    for (const step of STEPS)
      for (const other of DEPENDENCIES[step]) expect(STEPS.indexOf(other)).toBeLessThan(STEPS.indexOf(step));
  });

  // proves: decisions-items/dependencies
  it('makes embedding depend on the summary and on all evidence', () => {
    expect(DEPENDENCIES).toEqual({
      prepare: [],
      speech: ['prepare'],
      vision: ['prepare'],
      summary: ['speech', 'vision'],
      embedding: ['speech', 'vision', 'summary'],
    });
  });
});

describe('stored records', () => {
  it('from before a step existed say that it was never requested', () => {
    const done = { state: 'done' as const, revision: 1, deferrals: 0, retryAt: null, error: null };
    const { vision: _, ...stored } = mapSteps(() => done);
    const whole = withAllSteps(stored);
    expect(Object.keys(whole)).toEqual([...STEPS]);
    expect(whole).toMatchObject({ vision: { state: 'skipped', error: null }, speech: { state: 'done' } });
    expect(statusFromSteps(statesOf(whole), true)).toBe('ready');
  });
});

describe('the table of steps', () => {
  it('lists each step after the steps whose results it reads', () => {
    for (const step of STEPS)
      for (const read of DEPENDENCIES[step]) expect(STEPS.indexOf(read)).toBeLessThan(STEPS.indexOf(step));
  });

  it('distinguishes steps on media from steps on the item, and says whose volume they use', () => {
    expect([MEDIA_STEPS, ITEM_STEPS]).toEqual([
      ['prepare', 'speech', 'vision'],
      ['summary', 'embedding'],
    ]);
    expect([COUNTED_MEDIA_STEPS, COUNTED_TEXT_STEPS]).toEqual([
      ['speech', 'vision'],
      ['summary', 'embedding'],
    ]);
    expect(NAMED_STEPS).toEqual(['speech', 'vision', 'summary', 'embedding']);
  });
});

it.each([
  ['domain/glossary.ts', `one of ${STEPS.join(', ')}.`],
  ['docs/webhooks.md', STEPS.map((step) => `"${step}": "done"`).join(', ')],
])('%s lists the steps', (file, list) => {
  expect(readFileSync(join(import.meta.dirname, '../../..', file), 'utf8')).toContain(list);
});
