/** Writes batches of items: new ones, one changed in the same batch, one deleted in it. */
import type { ExpectedItem, ItemContent } from './expected.ts';
import { addAnalysis, bodyOf, textOf } from './itemLife.ts';
import type { Scenario, ScenarioDeps } from './scenarios.ts';

const PLAIN_ITEMS = 6;

interface Operation {
  op: 'put' | 'patch' | 'delete';
  id: string;
  data?: Record<string, unknown>;
}

interface BatchAnswer {
  results: { id: string; ok: boolean }[];
}

export function createItemBatchScenario({ sender, targets, expected }: ScenarioDeps): Scenario {
  return async (n, random) => {
    const items = Array.from({ length: PLAIN_ITEMS + 2 }, (_, index): ExpectedItem => {
      const content: ItemContent = {
        type: 'text',
        title: `Batch ${n}, ${index}`,
        description: null,
        body: textOf(n, random),
        available: true,
        media: [],
      };
      return {
        project: 'main',
        id: `batch/${n}/${index}`,
        content,
        deleted: false,
        events: { min: 0, max: 0 },
        units: { min: 0, max: 0 },
      };
    });
    const operations: Operation[] = items.map(({ id, content }) => ({ op: 'put', id, data: bodyOf(content) }));
    const [touched, gone] = items.slice(PLAIN_ITEMS);
    if (!touched || !gone) throw new Error('a batch without its last two items');
    operations.push({ op: 'patch', id: touched.id, data: { available: false } }, { op: 'delete', id: gone.id });
    const { body } = await sender.write<BatchAnswer>(targets.main, {
      method: 'POST',
      path: '/items/batch',
      body: { operations },
    });
    const failed = body.results.filter(({ ok }) => !ok);
    if (failed.length > 0) expected.complaints.push(`batch ${n}: ${failed.length} operations were not taken`);
    for (const item of items) {
      if (item !== gone) addAnalysis(item, item.content);
      expected.items.set(`main/${item.id}`, item);
    }
    touched.content = { ...touched.content, available: false };
    gone.deleted = true;
  };
}
