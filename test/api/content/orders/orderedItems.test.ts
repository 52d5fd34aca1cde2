import { describe, expect, it } from '@jest/globals';
import { stageOrders, user } from './ordersStage.ts';

const stage = stageOrders();

describe('POST /orders', () => {
  // proves: read/origin, orders/OrderLineIn, intake/rule-6, decisions-orders/new-item
  it('creates an unavailable item for a product outside the catalogue, before it answers, and never analyses it', async () => {
    await stage.call('POST', '/orders', {
      order_id: 'A-1',
      user,
      items: [{ item: 'p-1', title: 'Товар', properties: { colour: 'red' } }],
    });
    const SKIPPED = {
      prepare: 'skipped',
      speech: 'skipped',
      vision: 'skipped',
      summary: 'skipped',
      embedding: 'skipped',
    };
    expect(await stage.call('GET', '/items/p-1')).toMatchObject({
      status: 200,
      body: {
        type: 'text',
        title: 'Товар',
        properties: { colour: 'red' },
        origin: 'order',
        available: false,
        deleted: false,
        status: 'ready',
        processing: SKIPPED,
        media: [],
      },
    });
    const { rows } = await stage.database.pool.query(`select from outbox where project_id = $1 and kind = 'item'`, [
      stage.project.id,
    ]);
    expect(rows).toHaveLength(0);
  });

  it('drops from the item the properties that a filter could not use, and keeps them with the line', async () => {
    await stage.database.pool.query(
      `insert into item_properties (project_id, name, type, filterable) values ($1, 'size', 'number', true), ($1, 'colour', 'string', true), ($1, 'kind', 'string', false)`,
      [stage.project.id],
    );
    const properties = { size: 'XL', colour: 'red', kind: 7 };
    await stage.call('POST', '/orders', {
      order_id: 'A-1',
      user,
      items: [{ item: 'p-1', title: 'Товар', properties }],
    });
    expect((await stage.call('GET', '/items/p-1')).body.properties).toEqual({ colour: 'red', kind: 7 });
    expect(
      (await stage.database.pool.query('select properties from order_lines where project_id = $1', [stage.project.id]))
        .rows,
    ).toEqual([{ properties }]);
  });

  it('does not change a known item, whatever title the line has', async () => {
    await stage.call('PUT', '/items/known', { type: 'text', title: 'Known' });
    await stage.call('DELETE', '/items/known');
    const answer = await stage.call('POST', '/orders', {
      order_id: 'A-1',
      user,
      items: [{ item: 'known', title: 'Other' }],
    });
    expect(answer.body).toEqual({ order_id: 'A-1', accepted: 1, rejected: [] });
    expect((await stage.call('GET', '/items/known')).body).toMatchObject({
      title: 'Known',
      deleted: true,
      origin: 'api',
    });
  });
});
