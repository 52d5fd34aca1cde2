import { describe, expect, it } from '@jest/globals';
import {
  decide,
  UNREAD,
  type ItemOperation,
  type ItemState,
  type WriteContext,
} from '../../../domain/items/decideOperation.ts';
import { mapSteps, STEPS } from '../../../domain/analysis/steps.ts';
import { textItem } from '../../support/project.ts';

const context: WriteContext = {
  origin: 'api',
  requestId: 'r',
  declared: [{ name: 'level', type: 'string', filterable: true }],
  newMediumId: () => 'new',
};
const ready = (change: Partial<ItemState> = {}): ItemState => ({
  ...textItem({ publishedAt: new Date(1000) }),
  id: 'a',
  media: [],
  origin: 'api',
  deleted: false,
  revision: 3,
  status: 'ready',
  createdAt: new Date(1000),
  requestId: null,
  redo: new Set(),
  isRewritten: false,
  steps: mapSteps(() => ({ state: 'done', revision: 3, deferrals: 0, retryAt: null, error: null })),
  ...change,
});
const patch = (change: object): ItemOperation => ({ op: 'patch', id: 'a', patch: change });
const put = (change = {}): ItemOperation => ({ op: 'put', id: 'a', content: textItem(change) });

describe('the decision about an operation', () => {
  it('returns the same object if nothing changes', () => {
    const state = ready();
    for (const operation of [
      put(),
      patch({}),
      patch({ publishedAt: null, properties: null }),
      { op: 'reprocess', id: 'a', steps: [] } as const,
    ]) {
      expect(decide(state, operation, context)).toEqual({ outcome: 'unchanged', state, faults: [], enqueue: false });
      expect(decide(state, operation, context).state).toBe(state);
    }
    const deleted = ready({ deleted: true });
    expect(decide(deleted, { op: 'delete', id: 'a' }, context)).toMatchObject({ outcome: 'deleted', enqueue: false });
    expect(decide(deleted, { op: 'delete', id: 'a' }, context).state).toBe(deleted);
  });

  it('never changes its input', () => {
    const state = ready({ body: UNREAD });
    const before = structuredClone({ ...state, body: null });
    for (const operation of [
      put({ title: 'other' }),
      patch({ media: [{ kind: 'image', url: 'https://x.test/', version: null }] }),
      { op: 'delete', id: 'a' } as const,
      { op: 'reprocess', id: 'a', steps: null } as const,
    ])
      decide(state, operation, context);
    expect({ ...state, body: null }).toEqual(before);
  });

  it('keeps a body that was not read, and counts it as different from the body of an operation', () => {
    const state = ready({ body: UNREAD });
    expect(decide(state, put(), context).state?.revision).toBe(4);
    expect(decide(state, patch({ author: 'me' }), context).state).toMatchObject({ body: UNREAD, revision: 3 });
    expect(decide(state, patch({ title: 'other' }), context).state).toMatchObject({
      body: UNREAD,
      revision: 4,
      requestId: 'r',
    });
  });

  it('reports faults of fields before an unknown id, and an unknown id before faults that need the item', () => {
    expect(decide(null, patch({ properties: { level: 1 } }), context)).toMatchObject({
      outcome: 'invalid',
      faults: [{ field: 'properties.level', code: 'invalid_type' }],
    });
    expect(
      decide(null, patch({ media: [{ kind: 'image', url: 'https://x.test/', version: null }] }), context).outcome,
    ).toBe('not_found');
    expect(
      decide(ready(), patch({ media: [{ kind: 'image', url: 'https://x.test/', version: null }] }), context),
    ).toMatchObject({ outcome: 'invalid', faults: [{ field: 'media', code: 'invalid_value' }] });
  });

  it('requests no workflow if nothing has to be analysed', () => {
    expect(decide(ready(), patch({ available: false }), context)).toMatchObject({ outcome: 'updated', enqueue: false });
    expect(decide(ready({ deleted: true }), patch({ title: 'other' }), context)).toMatchObject({
      outcome: 'updated',
      enqueue: false,
      state: { deleted: true, status: 'processing' },
    });
    expect(decide(ready({ deleted: true }), put(), context)).toMatchObject({
      outcome: 'updated',
      enqueue: false,
      state: { deleted: false, status: 'ready' },
    });
    expect(decide(ready(), { op: 'delete', id: 'a' }, context)).toMatchObject({ outcome: 'deleted', enqueue: false });
  });

  it('lets a PUT outdate all steps of an item that came with an order, and another order outdate none', () => {
    const sold = ready({
      origin: 'order',
      steps: mapSteps(() => ({ state: 'skipped', revision: 0, deferrals: 0, retryAt: null, error: null })),
    });
    const taken = decide(sold, put(), context).state;
    expect([taken?.origin, ...STEPS.map((step) => taken?.steps[step].state)]).toEqual([
      'api',
      'queued',
      'queued',
      'queued',
      'queued',
      'queued',
    ]);
    expect(decide(sold, put(), { ...context, origin: 'order' }).outcome).toBe('unchanged');
  });
});
