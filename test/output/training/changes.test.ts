import { describe, expect, it } from '@jest/globals';
import type { StoredItemModel } from '../../../output/models/modelFile.ts';
import { arrangeEvents } from '../../../output/training/rows/arrangeEvents.ts';
import { EventColumns } from '../../../output/training/rows/eventColumns.ts';
import type { Interactions } from '../../../output/training/rows/interactions.ts';
import type { TrainingSettings } from '../../../output/training/evaluate/hyperparameters.ts';
import { assembleModel, evidenceFor, plannedColumns, solveColumns } from '../../../output/training/training.ts';
import { plantedEvents } from '../../support/people/plantedEvents.ts';
import { largestDifference, trainedOn, weightsByName } from '../support/modelWeights.ts';

const events = [...plantedEvents({ people: 400, items: 120, events: 12, groups: 6, days: 30 })];
const settings: TrainingSettings = {
  sampleOf: 1,
  reference: Date.UTC(2026, 9, 1) / 1000,
  halfLifeDays: 30,
  taste: { neighbours: 12, lambda: 2 },
  transition: { neighbours: 8, lambda: 1 },
  blend: { halfLifeEvents: 5, taste: 1, transition: 0.5, content: 0.5, popularity: 0.1 },
};

function dataOf(kept: (person: number, item: string) => boolean, extra: typeof events = []): Interactions {
  const columns = new EventColumns();
  // Tables return rows in any order.
  const rows = [...events.filter(({ person, item }) => kept(person, item)), ...extra].toReversed();
  for (const event of rows) columns.add({ ...event, weight: 1, orderId: null });
  return arrangeEvents(columns.take(), new Set(), Infinity);
}

function updated(published: StoredItemModel, data: Interactions, forgotten: readonly string[]) {
  const planned = plannedColumns(data, settings, published, forgotten);
  const solved = {
    taste: [solveColumns(evidenceFor(data, 'taste', settings), planned.taste, settings.taste)],
    transition: [solveColumns(evidenceFor(data, 'transition', settings), planned.transition, settings.transition)],
  };
  return { planned, model: assembleModel({ id: 'm', data, settings, solved, published }) };
}

const itemsOf = (person: number): string[] => [
  ...new Set(events.filter((event) => event.person === person).map(({ item }) => item)),
];

describe('a model that is updated', () => {
  const before = trainedOn(
    dataOf(() => true),
    settings,
  );

  it.each([3, 77])('equals one without the person %i, who was deleted', (person) => {
    const left = dataOf((each) => each !== person);
    const { planned, model } = updated(before, left, itemsOf(person));
    const without = trainedOn(left, settings);
    for (const part of ['taste', 'transition'] as const) {
      expect(largestDifference(weightsByName(model, part), weightsByName(without, part))).toBeLessThan(1e-6);
      expect(planned[part].length).toBeLessThan(left.ids.length);
    }
    expect(model.ids).toEqual(without.ids);
    // The check is effective: the published model contains the person.
    expect([...weightsByName(before, 'taste')]).not.toEqual([...weightsByName(without, 'taste')]);
  });

  it('equals one without an item, which was deleted', () => {
    const left = dataOf((_, item) => item !== 'i-3');
    const { model } = updated(before, left, []);
    expect(model.ids).not.toContain('i-3');
    expect(
      largestDifference(weightsByName(model, 'taste'), weightsByName(trainedOn(left, settings), 'taste')),
    ).toBeLessThan(1e-6);
  });

  it('learns a new item, and keeps the columns that hardly changed', () => {
    const buyers = [5, 6, 7, 8];
    const fresh = buyers.map((person) => ({ person, item: 'new', occurredAt: Date.UTC(2026, 8, 30) }));
    const { planned, model } = updated(
      before,
      dataOf(() => true, fresh),
      [],
    );
    expect(planned.taste.length).toBeLessThanOrEqual(Math.ceil(121 / 15));
    expect([...weightsByName(model, 'taste').keys()].some((key) => key.endsWith('→ new'))).toBe(true);
    expect(model.people[model.ids.indexOf('new')]).toBe(4);
  });

  it('keeps for each column the number of people at the time when it was solved', () => {
    const item = before.ids[0] ?? '';
    const more = [{ person: 10_000, item, occurredAt: Date.UTC(2026, 8, 30) }];
    const { planned, model } = updated(
      before,
      dataOf(() => true, more),
      [],
    );
    expect([...planned.taste]).not.toContain(model.ids.indexOf(item));
    expect(model.people[model.ids.indexOf(item)]).toBe(before.people[0]);
  });
});
