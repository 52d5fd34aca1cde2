import { describe, expect, it, jest } from '@jest/globals';
import type { StoredItemModel } from '../../../../output/models/modelFile.ts';
import { createNamedModelReader } from '../../../../output/selection/upkeep/namedModelReader.ts';
import { rank } from '../../../../output/selection/rank/rank.ts';
import type { Logger } from '../../../../platform/process/logger.ts';
import { catalogueOf, change, feedFor } from '../../support/catalogues.ts';
import { modelOf } from '../../support/models.ts';

const IDS = ['met', 'x', 'y'];
const taste = (target: string, id: string) => modelOf({ id, taste: { met: { [target]: 1 } }, blend: { content: 0 } });
const byPublished = { model: 'published', first: 'x' };
const byNamed = { model: 'named', first: 'y' };

async function stage(read: (id: string) => Promise<StoredItemModel | null> = async (id) => taste('y', id)) {
  const warned: string[] = [];
  const reads: string[] = [];
  const gone = new Set<string>();
  const logger = { warn: (_data: unknown, text: string) => void warned.push(text) } as unknown as Logger;
  const reader = createNamedModelReader(
    {
      current: async () => null,
      kept: async (_project, ids) => ids.filter((id) => !gone.has(id)).map((id) => ({ id, blobKey: id })),
      read({ id }) {
        reads.push(id);
        return read(id);
      },
    },
    logger,
  );
  const catalogue = catalogueOf(IDS.map((id) => change(id)));
  catalogue.model = await catalogue.mapToSlots(taste('x', 'published'));
  const want = async (id: string, room = true) => {
    reader.want('p', catalogue, id, () => room);
    await reader.close();
  };
  const ranked = (model: string | null = 'named') => {
    const answer = rank(catalogue, feedFor({ model, taste: { items: [{ item: 'met', weight: 1 }] } }));
    return { model: answer.model, first: answer.ranked[0]?.id };
  };
  return { catalogue, reader, want, ranked, warned, reads, gone, follow: () => reader.follow('p', catalogue) };
}

describe('a model that a question names', () => {
  // proves: surfaces/variant-model
  it('is read once, and then ranks only that question', async () => {
    const { catalogue, reader, want, ranked, reads } = await stage();
    // The memory kept for the scores of all items depends on the earlier rankings.
    const bytesBeside = () => catalogue.bytes - catalogue.priors.bytes;
    const bytes = bytesBeside();
    reader.want('p', catalogue, 'named', () => true);
    expect(ranked()).toEqual(byPublished);
    await reader.close();
    expect([ranked(), ranked(null)]).toEqual([byNamed, byPublished]);
    await want('named');
    expect(reads).toEqual(['named']);
    expect(bytesBeside()).toBe(bytes + (catalogue.named.find('named')?.bytes ?? 0));
    expect(catalogue.named.bytes).toBeGreaterThan(0);
  });

  it('is not read again if it is the published one', async () => {
    const { want, ranked, reads } = await stage();
    await want('published');
    expect([reads, ranked('published')]).toEqual([[], byPublished]);
  });

  // proves: surfaces/variant-model
  it('leaves the ranking to the published one if it cannot be read, does not fit or is gone, which is logged once', async () => {
    const broken = await stage(() => Promise.reject(new Error('the model is damaged')));
    await broken.want('named');
    await broken.want('named');
    expect([broken.ranked(), broken.reads.length, broken.warned.length]).toEqual([byPublished, 1, 1]);
    const large = await stage();
    await large.want('named', false);
    expect([large.ranked(), large.warned.length]).toEqual([byPublished, 1]);
    const removed = await stage();
    removed.gone.add('named');
    await removed.want('named');
    expect([removed.ranked(), removed.reads, removed.warned.length]).toEqual([byPublished, [], 1]);
  });

  it('is dropped when its file is removed', async () => {
    const { catalogue, want, ranked, gone, follow } = await stage();
    await want('named');
    await follow();
    expect(ranked()).toEqual(byNamed);
    gone.add('named');
    await follow();
    expect([ranked(), catalogue.named.bytes]).toEqual([byPublished, 0]);
  });

  it('is one of four at most, and makes room if nobody has named it for ten minutes', async () => {
    const { catalogue, want, ranked, follow } = await stage();
    for (const id of ['named', 'b', 'c', 'd', 'e']) await want(id);
    expect(catalogue.named.ids).toEqual(['named', 'b', 'c', 'd']);
    const now = performance.now();
    const clock = jest.spyOn(performance, 'now').mockReturnValue(now + 9 * 60_000);
    ranked();
    clock.mockReturnValue(now + 11 * 60_000);
    await follow();
    clock.mockRestore();
    expect(catalogue.named.ids).toEqual(['named']);
    await want('e');
    expect(catalogue.named.ids).toEqual(['named', 'e']);
  });
});
