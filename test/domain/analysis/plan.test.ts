import { describe, expect, it } from '@jest/globals';
import {
  inapplicableSteps,
  newlyApplicableSteps,
  newStepRecords,
  outdatedBy,
  outdatedByRequest,
  runnableSteps,
  withOutdated,
} from '../../../domain/analysis/plan.ts';
import {
  ITEM_TYPES,
  mapSteps,
  MEDIA_KINDS,
  STEPS,
  type ItemType,
  type MediaKind,
  type Step,
  type StepState,
} from '../../../domain/analysis/steps.ts';

const NOTHING = { text: false, mediaAdded: false, mediaRemoved: false };
const inOrder = (steps: ReadonlySet<Step>): Step[] => STEPS.filter((step) => steps.has(step));

describe('outdatedBy', () => {
  it.each<[string, Partial<typeof NOTHING>, Step[]]>([
    ['nothing', {}, []],
    ['text', { text: true }, ['summary', 'embedding']],
    ['a new medium', { mediaAdded: true }, ['prepare', 'speech', 'vision', 'summary', 'embedding']],
    ['a removed medium', { mediaRemoved: true }, ['summary', 'embedding']],
    ['text and a removed medium', { text: true, mediaRemoved: true }, ['summary', 'embedding']],
    [
      'everything',
      { text: true, mediaAdded: true, mediaRemoved: true },
      ['prepare', 'speech', 'vision', 'summary', 'embedding'],
    ],
  ])('%s', (_, change, steps) => {
    expect(inOrder(outdatedBy({ ...NOTHING, ...change }))).toEqual(steps);
  });
});

describe('outdatedByRequest', () => {
  const closure: Record<Step, Step[]> = {
    prepare: ['prepare', 'speech', 'vision', 'summary', 'embedding'],
    speech: ['speech', 'summary', 'embedding'],
    vision: ['vision', 'summary', 'embedding'],
    summary: ['summary', 'embedding'],
    embedding: ['embedding'],
  };

  // proves: states/reprocess
  it('returns the named steps and all their dependents, for each of the 32 subsets', () => {
    for (let bits = 0; bits < 32; bits += 1) {
      const asked = STEPS.filter((_, index) => bits & (1 << index));
      const ought = new Set(asked.flatMap((step) => closure[step]));
      expect(inOrder(outdatedByRequest(asked))).toEqual(inOrder(ought));
    }
  });

  // proves: states/reprocess
  it('returns everything, including media preparation, if no steps are named', () => {
    expect(inOrder(outdatedByRequest(null))).toEqual([...STEPS]);
  });
});

describe('inapplicableSteps', () => {
  const subsets = Array.from({ length: 8 }, (_, bits) => MEDIA_KINDS.filter((_kind, index) => bits & (1 << index)));

  /** Follows the sentence of the decisions, type by type. */
  function oracle(type: ItemType, kinds: readonly MediaKind[]): Step[] {
    if (type === 'text' || kinds.length === 0) return ['prepare', 'speech', 'vision'];
    const skipped: Step[] = [];
    if (type === 'image' || !(kinds.includes('video') || kinds.includes('audio'))) skipped.push('speech');
    if (type === 'audio' || !(kinds.includes('video') || kinds.includes('image'))) skipped.push('vision');
    return skipped;
  }

  it('depends on the type and the media present, for every type and set of kinds', () => {
    for (const type of ITEM_TYPES) {
      for (const kinds of subsets)
        expect([type, kinds, inOrder(inapplicableSteps(type, kinds))]).toEqual([type, kinds, oracle(type, kinds)]);
    }
  });

  it('finds the steps that a change of type makes applicable', () => {
    const both: MediaKind[] = ['image', 'audio'];
    expect(inOrder(newlyApplicableSteps({ type: 'image', kinds: both }, { type: 'mixed', kinds: both }))).toEqual([
      'speech',
    ]);
    expect(inOrder(newlyApplicableSteps({ type: 'audio', kinds: both }, { type: 'mixed', kinds: both }))).toEqual([
      'vision',
    ]);
    expect(inOrder(newlyApplicableSteps({ type: 'mixed', kinds: both }, { type: 'image', kinds: both }))).toEqual([]);
  });
});

describe('runnableSteps', () => {
  const states = (changes: Partial<Record<Step, StepState>>) =>
    mapSteps<StepState>((step) => changes[step] ?? 'queued');

  it('begins with prepare, followed by speech and vision in parallel', () => {
    expect(runnableSteps(states({}))).toEqual(['prepare']);
    expect(runnableSteps(states({ prepare: 'running' }))).toEqual([]);
    expect(runnableSteps(states({ prepare: 'done' }))).toEqual(['speech', 'vision']);
    expect(runnableSteps(states({ prepare: 'done', speech: 'running' }))).toEqual(['vision']);
    expect(runnableSteps(states({ prepare: 'done', speech: 'done', vision: 'deferred' }))).toEqual([]);
    expect(runnableSteps(states({ prepare: 'failed', speech: 'skipped', vision: 'failed' }))).toEqual(['summary']);
    expect(runnableSteps(states({ prepare: 'done', speech: 'done', vision: 'done', summary: 'failed' }))).toEqual([
      'embedding',
    ]);
    expect(runnableSteps(states({ prepare: 'done', speech: 'done', vision: 'done', summary: 'waiting' }))).toEqual([]);
  });
});

describe('step records', () => {
  it('are all queued for a new item', () => {
    expect(Object.values(newStepRecords(1))).toEqual(
      STEPS.map(() => ({ state: 'queued', revision: 1, deferrals: 0, retryAt: null, error: null })),
    );
  });

  it('lose errors and deferrals of outdated steps, and keep the rest', () => {
    const error = { code: 'x', message: 'y' };
    const before = mapSteps(() => ({
      state: 'deferred' as const,
      revision: 3,
      deferrals: 2,
      retryAt: '2026-01-01T00:00:00.000Z',
      error,
    }));
    const after = withOutdated(before, new Set<Step>(['summary']), 4);
    expect(after.summary).toEqual({ state: 'queued', revision: 4, deferrals: 0, retryAt: null, error: null });
    for (const step of STEPS) if (step !== 'summary') expect(after[step]).toBe(before[step]);
  });
});
