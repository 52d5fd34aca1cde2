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

  // proves: decisions-events/default-types
  it("shows the modes, weights, kinds of value and flags of a new project's types", async () => {
    const { body } = await stage.call('GET', '/event-types');
    const flagsOf = (type: Record<string, unknown>): string[] => Object.keys(type).filter((key) => type[key] === true);
    expect(
      (body as Record<string, unknown>[]).map(
        ({ code, mode, weight, value_kind: kind, is_active: isActive, ...more }) => [
          code,
          mode,
          weight,
          kind,
          ...flagsOf(more),
          isActive === true && more['dedup_window_sec'] === 0 && more['suppress_similar_days'] === 0,
          Object.keys((more['value_map'] as object | null) ?? {}),
        ],
      ),
    ).toEqual([
      ['cart', 'fact', 4, 'none', true, []],
      ['comment', 'fact', 3, 'none', true, []],
      ['dislike', 'state', -4, 'none', true, []],
      ['favourite', 'state', 4, 'none', true, []],
      ['hide', 'state', -6, 'none', 'hides_item', true, []],
      ['impression', 'fact', 0, 'none', 'is_impression', true, []],
      ['like', 'state', 3, 'none', true, []],
      ['open', 'fact', 1, 'none', 'is_open', true, []],
      ['purchase', 'fact', 8, 'number', 'is_goal', 'is_purchase', true, []],
      ['share', 'fact', 4, 'none', true, []],
      ['view', 'max', 1, 'percent', true, ['0', '25', '50', '75', '95']],
      ['watch', 'max', 1, 'watch_seconds', true, ['0', '30', '120', '600']],
    ]);
  });
});
