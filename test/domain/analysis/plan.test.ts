import { describe, expect, it } from '@jest/globals';
import { inapplicableSteps, newlyApplicableSteps, runnableSteps } from '../../../domain/analysis/plan.ts';
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

const inOrder = (steps: ReadonlySet<Step>): Step[] => STEPS.filter((step) => steps.has(step));

describe('the applicability of steps', () => {
  const subsets = Array.from({ length: 8 }, (_, bits) => MEDIA_KINDS.filter((_kind, index) => bits & (1 << index)));

  /** Follows the rule of applicability in the specification's decisions, type by type. */
  function oracle(type: ItemType, kinds: readonly MediaKind[]): Step[] {
    if (type === 'text' || kinds.length === 0) return ['prepare', 'speech', 'vision'];
    const skipped: Step[] = [];
    if (type === 'image' || !(kinds.includes('video') || kinds.includes('audio'))) skipped.push('speech');
    if (type === 'audio' || !(kinds.includes('video') || kinds.includes('image'))) skipped.push('vision');
    return skipped;
  }

  // proves: decisions-items/applicability
  it('depends on the type and the media present, for every type and set of kinds', () => {
    for (const type of ITEM_TYPES) {
      for (const kinds of subsets)
        expect([type, kinds, inOrder(inapplicableSteps(type, kinds))]).toEqual([type, kinds, oracle(type, kinds)]);
    }
  });

  it('may change with the type, and the newly applicable steps are found', () => {
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

  // proves: decisions-items/dependencies
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
