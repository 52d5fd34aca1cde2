import { describe, expect, it } from '@jest/globals';
import { modelOf } from './support/models.ts';
import { stageOutput, type StageItem } from './support/outputStage.ts';
import { publish } from './support/published.ts';

const stage = stageOutput();

const ITEMS: StageItem[] = [
  { id: 'tram-1', title: 'История трамваев Петербурга' },
  { id: 'tram-2', title: 'Трамваи Петербурга сегодня' },
  { id: 'soup-1', title: 'Рецепт борща со свёклой' },
  { id: 'soup-2', title: 'Борщ со свёклой и фасолью' },
];

const next = (body: object) => stage.call('POST', '/recommendations/next', { exploration: 0, ...body });
const idsOf = (body: { items: { id: string }[] }) => body.items.map(({ id }) => id);
const setUp = async () => {
  await stage.addItems(ITEMS);
  await stage.followed();
};

describe('POST /recommendations/next', () => {
  // proves: output-paths/next, output-request/subject
  it('returns items similar to the end of a session, without the session itself', async () => {
    await setUp();
    const { status, body } = await next({ items: ['soup-1', 'tram-1'] });
    expect(status).toBe(200);
    expect(body).toMatchObject({ mode: 'contextual', next_cursor: null });
    expect(idsOf(body)).toEqual(['tram-2', 'soup-2']);
    expect(body.items[0].reason).toEqual({ code: 'similar', item: 'tram-1' });
    expect(idsOf((await next({ item: 'soup-1' })).body)[0]).toBe('soup-2');
  });

  // proves: output-paths/next
  it('returns what came after the item in other sessions', async () => {
    await setUp();
    const id = await publish(stage, modelOf({ transition: { 'tram-1': { 'soup-2': 1 } } }));
    await stage.selection.catalogues.followModels();
    const { body } = await next({ item: 'tram-1' });
    expect(body).toMatchObject({ mode: 'contextual', model: id });
    expect(body.items[0]).toMatchObject({ id: 'soup-2', reason: { code: 'because_item', item: 'tram-1' } });
  });

  // proves: output-paths/next
  it('requires either item or items, not both', async () => {
    await setUp();
    expect((await next({})).body.error.details).toMatchObject([{ field: 'item', code: 'required' }]);
    expect((await next({ item: 'tram-1', items: ['tram-1'] })).status).toBe(422);
    expect((await next({ items: [] })).status).toBe(422);
    expect((await next({ items: Array.from({ length: 51 }, () => 'tram-1') })).status).toBe(422);
  });

  // proves: output-request/unknown-subject
  it('answers 404 for a session with an item that never existed, and answers for a deleted one', async () => {
    await setUp();
    expect((await next({ items: ['tram-1', 'nothing'] })).status).toBe(404);
    await stage.call('DELETE', '/items/tram-1');
    const { status, body } = await next({ item: 'tram-1' });
    expect([status, idsOf(body).includes('tram-1')]).toEqual([200, false]);
  });

  // proves: output-request/cursor
  it('refuses the cursor of another session', async () => {
    await setUp();
    const { body } = await next({ item: 'tram-1', limit: 1 });
    expect((await next({ item: 'tram-1', limit: 1, cursor: body.next_cursor })).status).toBe(200);
    expect((await next({ item: 'soup-1', limit: 1, cursor: body.next_cursor })).status).toBe(400);
  });

  // proves: output-request/include_seen
  it('leaves out what the person knows', async () => {
    await setUp();
    const user = { user_id: 'u-1' };
    await stage.call('POST', '/events', {
      events: [{ id: 'e-1', type: 'open', item: 'tram-2', user, occurred_at: new Date().toISOString() }],
    });
    expect(idsOf((await next({ item: 'tram-1', user })).body)).not.toContain('tram-2');
    expect(idsOf((await next({ item: 'tram-1', user, include_seen: true })).body)[0]).toBe('tram-2');
  });
});
