import { describe, expect, it } from '@jest/globals';
import { stageEvents } from './eventsStage.ts';

const stage = stageEvents();

describe('GET /event-types', () => {
  // proves: events/EventTypeOut, intake/event-types
  it('lists the types of a new project by code, and no internal fields', async () => {
    const { status, body } = await stage.call('GET', '/event-types');
    expect([status, body.map(({ code }: { code: string }) => code)]).toEqual([
      200,
      [
        'cart',
        'comment',
        'dislike',
        'favourite',
        'hide',
        'impression',
        'like',
        'open',
        'purchase',
        'share',
        'view',
        'watch',
      ],
    ]);
    expect(body[10]).toEqual({
      code: 'view',
      title: 'Просмотр',
      mode: 'max',
      weight: 1,
      value_kind: 'percent',
      value_map: { 0: 0.1, 25: 0.5, 50: 1, 75: 1.5, 95: 2 },
      dedup_window_sec: 0,
      suppress_similar_days: 0,
      is_impression: false,
      is_open: false,
      is_goal: false,
      is_purchase: false,
      hides_item: false,
      is_active: true,
    });
  });
});
