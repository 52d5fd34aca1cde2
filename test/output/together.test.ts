import { describe, expect, it } from '@jest/globals';
import { modelOf } from './support/models.ts';
import { stageOutput } from './support/outputStage.ts';
import { publish } from './support/published.ts';

const stage = stageOutput();

const together = (body: object) => stage.call('POST', '/recommendations/together', body);
const reasonsOf = ({ body }: { body: { items: { id: string; reason: object }[] } }) =>
  body.items.map(({ id, reason }) => [id, reason]);
const addItems = () =>
  stage.addItems([
    { id: 'coffee', title: 'Кофе в зёрнах тёмной обжарки' },
    { id: 'tea', title: 'Чай чёрный листовой' },
    { id: 'filter', title: 'Фильтры бумажные' },
    { id: 'cup', title: 'Кружка фарфоровая' },
    { id: 'other-coffee', title: 'Кофе в зёрнах светлой обжарки' },
    { id: 'lamp', title: 'Настольная лампа' },
  ]);

describe('POST /recommendations/together', () => {
  // proves: output-paths/together, output-answer/together
  it('returns what is ordered with the cart, with the strongest pair as the reason, then similar items', async () => {
    await addItems();
    await stage.followed();
    const id = await publish(
      stage,
      modelOf({ together: { coffee: { filter: 4, cup: 2, tea: 9 }, tea: { cup: 3 }, lamp: { coffee: 1 } } }),
    );
    await stage.selection.catalogues.followModels();
    const answer = await together({ items: ['coffee', 'tea'], diversity: 0, explain: true });
    expect(answer.body).toMatchObject({ mode: 'contextual', model: id, next_cursor: null });
    expect(reasonsOf(answer).slice(0, 3)).toEqual([
      ['cup', { code: 'together', item: 'tea' }],
      ['filter', { code: 'together', item: 'coffee' }],
      ['other-coffee', { code: 'similar', item: 'coffee' }],
    ]);
    expect(answer.body.items[0].explain).toEqual({ model: id, parts: { together: 5 } });
    // Pairs have a direction.
    expect(reasonsOf(await together({ items: ['filter'] })).map(([item]) => item)).not.toContain('coffee');
  });

  it('returns items similar to the cart if nothing was ordered', async () => {
    await addItems();
    await stage.followed();
    const answer = await together({ items: ['coffee'] });
    expect(answer.body).toMatchObject({ mode: 'contextual' });
    expect(reasonsOf(answer)).toEqual([['other-coffee', { code: 'similar', item: 'coffee' }]]);
  });

  it('returns popular items if nothing is known about the cart', async () => {
    await addItems();
    await stage.call('PUT', '/items/queued', { type: 'text', title: 'Ждёт' });
    await stage.send([{ who: 'u-1', item: 'lamp' }]);
    await stage.counted();
    const answer = await together({ items: ['queued'], diversity: 0 });
    expect(answer.body).toMatchObject({ mode: 'popular', model: null });
    expect(reasonsOf(answer)[0]).toEqual(['lamp', { code: 'popular' }]);
    expect(answer.body.items).toHaveLength(6);
  });

  // proves: output-request/include_seen, output-request/subject
  it('includes what the person has seen, unless include_seen is false, and never includes the cart', async () => {
    await addItems();
    await stage.send([{ who: 'u-1', item: 'other-coffee' }]);
    await stage.followed();
    const user = { user_id: 'u-1' };
    expect(reasonsOf(await together({ items: ['coffee'], user })).map(([id]) => id)).toEqual(['other-coffee']);
    expect((await together({ items: ['coffee'], user, include_seen: false })).body.items).toEqual([]);
    const both = await together({ items: ['coffee', 'other-coffee', 'coffee'] });
    expect(reasonsOf(both).map(([id]) => id)).not.toEqual(expect.arrayContaining(['coffee']));
    expect(reasonsOf(both).map(([id]) => id)).not.toEqual(expect.arrayContaining(['other-coffee']));
  });

  // proves: output-paths/together, output-request/unknown-subject
  it('answers 404 for items that never existed, 200 for deleted ones, and names invalid fields', async () => {
    await addItems();
    await stage.followed();
    expect((await together({ items: ['coffee', 'nothing'] })).status).toBe(404);
    await stage.call('DELETE', '/items/coffee');
    expect((await together({ items: ['coffee'] })).status).toBe(200);
    const faults = async (body: object) =>
      (await together(body)).body.error.details.map(({ field, code }: { field: string; code: string }) => [
        field,
        code,
      ]);
    expect(await faults({})).toEqual([['items', 'required']]);
    expect(await faults({ items: [] })).toEqual([['items', 'invalid_value']]);
    expect(await faults({ items: Array.from({ length: 21 }, (_, n) => `i-${n}`) })).toEqual([['items', 'too_long']]);
    expect(await faults({ items: ['coffee'], max_per_author: 2 })).toEqual([['max_per_author', 'unknown_field']]);
  });
});
