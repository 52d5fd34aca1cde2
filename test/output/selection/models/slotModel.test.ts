import { describe, expect, it } from '@jest/globals';
import { catalogueOf, change } from '../../support/catalogues.ts';
import { modelOf } from '../../support/models.ts';

const ids = ['a', 'b', 'c'];

describe('a model in a catalogue', () => {
  it('is looked up by slots, whatever numbers its items have in the model', async () => {
    const catalogue = catalogueOf(ids.map((id) => change(id)));
    catalogue.model = await catalogue.mapToSlots(
      modelOf({ taste: { c: { a: 0.5 }, a: { c: 0.25, b: -1 } }, together: { b: { a: 1 } } }),
    );
    const named = (part: 'taste' | 'transition' | 'together', id: string) => {
      const row = catalogue.model?.[part].row(catalogue.slotOf(id) ?? -1);
      return [...(row?.slots ?? [])].map((slot, at) => [catalogue.itemAt(slot)?.id, row?.weights[at]]);
    };
    expect(named('taste', 'c')).toEqual([['a', 0.5]]);
    expect(Object.fromEntries(named('taste', 'a') as [string, number][])).toEqual({ c: 0.25, b: -1 });
    expect(named('taste', 'b')).toEqual([]);
    expect(named('together', 'b')).toEqual([['a', 1]]);
    expect(named('transition', 'a')).toEqual([]);
  });

  it('has no data for items missing from the catalogue, or for items that came later', async () => {
    const catalogue = catalogueOf([change('a'), change('b')]);
    catalogue.model = await catalogue.mapToSlots(modelOf({ taste: { a: { gone: 1, b: 0.5 }, gone: { a: 1 } } }));
    expect(catalogue.model?.taste.row(0)).toEqual({ slots: Uint32Array.of(1), weights: Float32Array.of(0.5) });
    catalogue.apply([change('late')]);
    expect(catalogue.model?.taste.row(2).slots).toHaveLength(0);
  });

  it('counts towards the memory of the catalogue, and is replaced as a whole', async () => {
    const catalogue = catalogueOf(ids.map((id) => change(id)));
    const { bytes } = catalogue;
    catalogue.model = await catalogue.mapToSlots(modelOf({ id: 'first', taste: { a: { b: 1, c: 1 } } }));
    expect(catalogue.bytes).toBe(bytes + (catalogue.model?.bytes ?? 0));
    expect(catalogue.model?.bytes).toBeGreaterThan(0);
    catalogue.model = await catalogue.mapToSlots(modelOf({ id: 'second' }));
    expect(catalogue.model?.id).toBe('second');
    expect(catalogue.model?.taste.row(0).slots).toHaveLength(0);
  });
});
