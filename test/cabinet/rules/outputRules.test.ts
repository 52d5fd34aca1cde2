/** Input of surfaces and synonyms, and the request that is made of it. */
import { describe, expect, it } from '@jest/globals';
import { outputSearchOf, valuesByDay } from '../../../cabinet/src/data/output/outputSearch.ts';
import { draftOf, faultyVariant, newExperiment, putOf } from '../../../cabinet/src/data/output/surfaceDraft.ts';
import { linesOf, rowsOf } from '../../../cabinet/src/data/output/synonymLines.ts';

describe('synonyms', () => {
  it('are converted to lines and back', () => {
    const rows = [{ words: ['tram', 'street car'] }, { words: ['shoes'], to: ['boots', 'sneakers'] }];
    const text = linesOf(rows);
    expect(text).toBe('tram, street car\nshoes > boots, sneakers');
    expect(rowsOf(text).map(({ row }) => row)).toEqual(rows);
  });

  it('stay as they are stored in the lines that are not changed', () => {
    const rows = [{ words: ['1,5 l', 'one and\na half'] }, { words: ['C -> D'], to: ['a > b', 'x'] }];
    expect(rowsOf(`${linesOf(rows)}\nnew, rows`, rows).map(({ row }) => row)).toEqual([
      ...rows,
      { words: ['new', 'rows'] },
    ]);
  });

  it('stay different rows, in their order, even if they read the same', () => {
    const rows = [{ words: ['a, b', 'c'] }, { words: ['a', 'b, c'] }, { words: ['a, b', 'c'], to: ['d'] }];
    expect(rowsOf(linesOf(rows), rows).map(({ row }) => row)).toEqual(rows);
    expect(rowsOf(`${linesOf(rows)}\na, b, c`, rows).at(-1)?.row).toEqual(rows[1]);
  });

  it('have line numbers, and ignore empty lines', () => {
    expect(rowsOf('\n a ,, b \n\n>\n')).toEqual([
      { line: 2, row: { words: ['a', 'b'] } },
      { line: 4, row: { words: [], to: [] } },
    ]);
  });
});

describe('a surface', () => {
  const surface = {
    name: 'feed',
    defaults: { limit: 12, authors: ['anna'] },
    boosts: [{ filter: { property: 'level', op: 'gte', value: 3 }, factor: 2 }],
    pins: [{ item: 'lesson', position: 0 }],
    experiment: {
      id: 'long1',
      from: '2026-12-01T09:30:00.000Z',
      until: null,
      variants: [
        { name: 'a', share: 0.333, settings: {} },
        { name: 'b', share: 0.667, settings: { limit: 24 } },
      ],
    },
    updated_at: '2026-11-20T09:00:00.000Z',
  };

  it('is saved as it was read if nothing is changed, including fields that the form does not show', () => {
    const { name: _name, updated_at: _at, ...put } = surface;
    expect(putOf(draftOf(surface))).toEqual(put);
  });

  it('keeps the exact times and shares, which the form shows rounded', () => {
    const [first, second] = [
      { name: 'a', share: 1 / 3, settings: {} },
      { name: 'b', share: 2 / 3, settings: {} },
    ];
    const exact = { id: 'long1', from: '2026-12-01T09:30:12.345Z', until: '2026-12-31T09:30:12.345Z' };
    const draft = draftOf({ ...surface, experiment: { ...exact, variants: [first, second] } });
    expect(putOf(draft).experiment).toEqual({ ...exact, variants: [first, second] });
    const { experiment } = draft;
    if (!experiment) throw new Error('the surface has an experiment');
    const changed = { ...experiment, variants: experiment.variants.map((one) => ({ ...one, share: '50' })), until: '' };
    expect(putOf({ ...draft, experiment: changed }).experiment).toMatchObject({
      from: exact.from,
      until: null,
      variants: [{ share: 0.5 }, { share: 0.5 }],
    });
  });

  it('is empty at first', () => {
    expect(putOf(draftOf(null))).toEqual({ defaults: {}, boosts: [], pins: [], experiment: null });
  });

  it('leaves out fields that were emptied', () => {
    const draft = draftOf(surface);
    expect(putOf({ ...draft, defaults: { ...draft.defaults, limit: undefined } as never }).defaults).toEqual({
      authors: ['anna'],
    });
  });

  it('names the variant whose settings are not a JSON object', () => {
    const experiment = newExperiment(new Date('2026-11-20T09:00:00Z'), ['a', 'b']);
    const [first, second] = experiment.variants;
    if (!first || !second) throw new Error('an experiment has two variants');
    const draft = { ...draftOf(null), experiment };
    expect(faultyVariant(draft)).toBeNull();
    for (const settings of ['{', '[]', '7', 'null'])
      expect(
        faultyVariant({ ...draft, experiment: { ...experiment, variants: [first, { ...second, settings }] } }),
      ).toBe(1);
    expect(putOf(draft).experiment?.variants).toEqual([
      { name: 'a', share: 0.5, settings: {} },
      { name: 'b', share: 0.5, settings: {} },
    ]);
  });
});

describe('the report', () => {
  it('keeps its days, groups and measure in the address', () => {
    const said = (search: object): object =>
      Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined));
    expect(said(outputSearchOf({ days: 30, by: ['day', 'surface', 'x'], surface: 'feed', measure: 'opens' }))).toEqual({
      days: '30',
      by: ['surface', 'day'],
      surface: 'feed',
      measure: 'opens',
    });
    expect(said(outputSearchOf({ days: 8, by: 'day', measure: 'x' }))).toEqual({});
  });

  it('has a value for each day, summed over all its rows', () => {
    const row = (day: string, requests: number) => ({ day, requests }) as never;
    const days = ['2026-11-19', '2026-11-20', '2026-11-21'];
    expect(valuesByDay([row('2026-11-20', 2), row('2026-11-20', 3)], days, 'requests')).toEqual([0, 5, 0]);
  });
});
