import { describe, expect, it } from '@jest/globals';
import type { StoredItemModel } from '../../../../output/models/modelFile.ts';
import type { CurrentModel } from '../../../../db/training/currentModels.ts';
import { createModelFollower, type ModelFile } from '../../../../output/selection/upkeep/modelFollower.ts';
import type { Logger } from '../../../../platform/process/logger.ts';
import { catalogueOf, change } from '../../support/catalogues.ts';
import { modelOf } from '../../support/models.ts';

const published = (id: string): CurrentModel => ({ id, blobKey: `models/p/${id}`, isPublished: true });
const rejected = (id: string): CurrentModel => ({ ...published(id), isPublished: false });

function followerOf(read: (model: ModelFile) => Promise<StoredItemModel | null>) {
  const warned: string[] = [];
  const reads: string[] = [];
  let latest: CurrentModel | null = null;
  const logger = { warn: (_data: unknown, text: string) => void warned.push(text) } as unknown as Logger;
  const follower = createModelFollower(
    {
      current: async () => latest,
      kept: async () => [],
      read(model) {
        reads.push(model.id);
        return read(model);
      },
    },
    logger,
  );
  const catalogue = catalogueOf([change('a'), change('b')]);
  const follow = (model: CurrentModel | null, room = true) => {
    latest = model;
    return follower.follow('p', catalogue, () => room);
  };
  return { catalogue, follow, warned, reads };
}

describe('the model of a catalogue', () => {
  it('is the one published last, read once', async () => {
    const { catalogue, follow, reads, warned } = followerOf(async ({ id }) => modelOf({ id, taste: { a: { b: 1 } } }));
    await follow(null);
    expect(catalogue.model).toBeNull();
    await follow(published('m-1'));
    await follow(published('m-1'));
    expect([catalogue.model?.id, catalogue.model?.taste.row(0).slots[0]]).toEqual(['m-1', 1]);
    await follow(published('m-2'));
    expect([catalogue.model?.id, reads, warned]).toEqual(['m-2', ['m-1', 'm-2'], []]);
  });

  it('stays if the next one is broken, which is logged once', async () => {
    const { catalogue, follow, reads, warned } = followerOf(async ({ id }) => {
      if (id === 'm-2') throw new Error('the model is damaged');
      return modelOf({ id });
    });
    await follow(published('m-1'));
    await follow(published('m-2'));
    await follow(published('m-2'));
    expect([catalogue.model?.id, reads.length, warned.length]).toEqual(['m-1', 2, 1]);
    await follow(published('m-3'));
    expect(catalogue.model?.id).toBe('m-3');
  });

  it('stays if the next one does not fit, or is gone before it was read', async () => {
    const { catalogue, follow, warned } = followerOf(async ({ id }) => (id === 'gone' ? null : modelOf({ id })));
    await follow(published('m-1'));
    await follow(published('m-2'), false);
    await follow(published('gone'));
    expect([catalogue.model?.id, warned.length]).toEqual(['m-1', 1]);
  });

  it('is dropped when it is taken out of use', async () => {
    const { catalogue, follow } = followerOf(async ({ id }) => modelOf({ id }));
    await follow(published('m-1'));
    await follow(null);
    expect(catalogue.model).toBeNull();
  });
});

describe('the pairs of a catalogue without a published model', () => {
  it('are those of the last training, and are dropped when a model is published', async () => {
    const { catalogue, follow, reads } = followerOf(async ({ id }) => modelOf({ id, together: { a: { b: 1 } } }));
    const { bytes } = catalogue;
    await follow(rejected('m-1'));
    await follow(rejected('m-1'));
    expect([catalogue.model, catalogue.pairs?.id, catalogue.pairs?.together.row(0).slots[0]]).toEqual([null, 'm-1', 1]);
    expect(catalogue.bytes).toBe(bytes + (catalogue.pairs?.bytes ?? NaN));
    await follow(rejected('m-2'));
    expect([catalogue.model, catalogue.pairs?.id]).toEqual([null, 'm-2']);
    await follow(published('m-3'));
    expect([catalogue.model?.id, catalogue.pairs]).toEqual(['m-3', null]);
    expect(reads).toEqual(['m-1', 'm-2', 'm-3']);
  });

  it('are dropped when nothing is ordered together any more', async () => {
    const { catalogue, follow } = followerOf(async ({ id }) => modelOf({ id }));
    await follow(rejected('m-1'));
    await follow(null);
    expect(catalogue.pairs).toBeNull();
  });
});
