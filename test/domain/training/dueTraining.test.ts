import { describe, expect, it } from '@jest/globals';
import { dueTraining, type TrainingState } from '../../../domain/training/dueTraining.ts';

const stateOf = (change: Partial<TrainingState> = {}): TrainingState => ({
  rows: 10_000,
  isTraining: false,
  lastFull: { rows: 10_000 },
  published: { rows: 10_000 },
  hasRemovedData: false,
  hasDeletedPerson: false,
  ...change,
});

describe('dueTraining', () => {
  it('is full at night if the events have changed since the last one', () => {
    expect(dueTraining('night', stateOf())).toBeNull();
    expect(dueTraining('night', stateOf({ rows: 10_001 }))).toBe('full');
    expect(dueTraining('night', stateOf({ rows: 9_999 }))).toBe('full');
    expect(dueTraining('night', stateOf({ hasRemovedData: true }))).toBe('full');
    expect(dueTraining('night', stateOf({ lastFull: null }))).toBe('full');
  });

  it('is an update by day if somebody was deleted or linked, or if enough is new', () => {
    expect(dueTraining('changes', stateOf())).toBeNull();
    expect(dueTraining('changes', stateOf({ hasRemovedData: true }))).toBe('changes');
    expect(dueTraining('changes', stateOf({ rows: 10_019 }))).toBeNull();
    expect(dueTraining('changes', stateOf({ rows: 10_020 }))).toBe('changes');
    const large = { rows: 1_001_999, published: { rows: 1_000_000 } };
    expect(dueTraining('changes', stateOf(large))).toBeNull();
    expect(dueTraining('changes', stateOf({ ...large, rows: 1_002_000 }))).toBe('changes');
  });

  it('is full by day if there was none; if its model was not published, it is repeated when there is half as much more', () => {
    const without = { published: null, lastFull: null };
    expect(dueTraining('changes', stateOf(without))).toBe('full');
    expect(dueTraining('changes', stateOf({ ...without, lastFull: { rows: 7_000 } }))).toBeNull();
    expect(dueTraining('changes', stateOf({ ...without, lastFull: { rows: 6_000 } }))).toBe('full');
  });

  it('is full by day if somebody was deleted whose orders are in the pairs of a rejected model', () => {
    const pairs = { published: null, hasRemovedData: true, hasDeletedPerson: true };
    expect(dueTraining('changes', stateOf(pairs))).toBe('full');
    // Even if nobody is left.
    expect(dueTraining('changes', stateOf({ ...pairs, rows: 0 }))).toBe('full');
    expect(dueTraining('changes', stateOf({ ...pairs, isTraining: true }))).toBeNull();
  });

  it('waits for the night after a link or a withdrawal without a published model', () => {
    const pairs = { published: null, hasRemovedData: true };
    expect(dueTraining('changes', stateOf(pairs))).toBeNull();
    expect(dueTraining('changes', stateOf({ ...pairs, rows: 0 }))).toBeNull();
    expect(dueTraining('night', stateOf(pairs))).toBe('full');
  });

  it('is null while another training is running, and without events', () => {
    expect(dueTraining('night', stateOf({ isTraining: true, rows: 1 }))).toBeNull();
    expect(dueTraining('changes', stateOf({ isTraining: true, hasRemovedData: true }))).toBeNull();
    const nothing = stateOf({ rows: 0, lastFull: null, published: null });
    expect([dueTraining('night', nothing), dueTraining('changes', nothing)]).toEqual([null, null]);
  });
});
