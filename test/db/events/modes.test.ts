import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { deleteExpiredIds } from '../../../db/events/rememberedIds.ts';
import type { SentEvent } from '../../../domain/events/validateEvents.ts';
import { moveHistoryChunk } from '../../../db/people/moveHistory.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import {
  addItems,
  by,
  changeType,
  readFacts,
  readImpressions,
  readStates,
  sent,
  take,
} from '../../support/people/events.ts';
import { identityOf, link } from '../../support/people/people.ts';
import { createTestProject } from '../../support/project.ts';

let database: TestDatabase;
let projectId: string;

const T = Date.now() - 3_600_000;
const at = (seconds: number): { occurredAt: Date } => ({ occurredAt: new Date(T + seconds * 1000) });
const takeAll = (...events: SentEvent[]) => take(database.pool, projectId, events);

beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  projectId = await createTestProject(database.pool);
  await addItems(database.pool, projectId, ['a', 'b']);
});
afterAll(() => database.drop());

async function storedState(type: string): Promise<[number | null, number]> {
  const [row, ...more] = (await readStates(database.pool, projectId)).filter((each) => each.type === type);
  expect(more).toEqual([]);
  return [row?.value ?? null, ((row?.occurred_at.getTime() ?? T) - T) / 1000];
}

describe('state', () => {
  const on = (): SentEvent => sent({ type: 'like', value: 1, ...at(10) });
  const off = (): SentEvent => sent({ type: 'like', value: 0, ...at(20) });

  // proves: events/EventTypeOut, decisions-events/state
  it('is the latest by time, in whichever order events arrive', async () => {
    await takeAll(on());
    await takeAll(off());
    expect(await storedState('like')).toEqual([0, 20]);
    projectId = await freshProject();
    await takeAll(off());
    expect(await takeAll(on())).toMatchObject({ accepted: 1, duplicates: 0 });
    expect(await storedState('like')).toEqual([0, 20]);
  });

  // proves: decisions-events/state
  it('is the latest by time within one request too', async () => {
    await takeAll(off(), on());
    expect(await storedState('like')).toEqual([0, 20]);
  });

  it('is the last to arrive among those of the same time', async () => {
    await takeAll(sent({ type: 'like', value: 1 }), sent({ type: 'like', value: 0 }));
    expect((await readStates(database.pool, projectId))[0]?.value).toBe(0);
    await takeAll(sent({ type: 'hide', value: 0, ...at(5) }));
    await takeAll(sent({ type: 'hide', value: 1, ...at(5) }));
    expect(await storedState('hide')).toEqual([1, 5]);
  });

  // proves: decisions-events/max, decisions-events/state
  it('is kept separately for each person, item and type', async () => {
    await takeAll(
      sent({ type: 'like' }),
      sent({ type: 'like', item: 'b' }),
      sent({ type: 'like', ...by('v') }),
      sent({ type: 'dislike' }),
      sent({ type: 'like', user: { userId: null, anonymousId: 'u', fingerprint: null } }),
      sent({ type: 'view', value: 5 }),
      sent({ type: 'view', value: 5, item: 'b' }),
      sent({ type: 'watch', value: 5 }),
    );
    expect(await readStates(database.pool, projectId)).toHaveLength(8);
  });
});

describe('max', () => {
  // proves: events/EventTypeOut, decisions-events/max
  it('is the largest value and its time, in whichever order events arrive', async () => {
    await takeAll(sent({ type: 'view', value: 30, ...at(1) }));
    await takeAll(sent({ type: 'view', value: 80, ...at(2) }));
    expect(await takeAll(sent({ type: 'view', value: 50, ...at(3) }))).toMatchObject({ accepted: 1, duplicates: 0 });
    expect(await takeAll(sent({ type: 'view', value: 80, ...at(4) }))).toMatchObject({ accepted: 1, duplicates: 0 });
    expect(await storedState('view')).toEqual([80, 2]);
  });

  // proves: decisions-events/max
  it('is the largest within one request, alongside states of the same person', async () => {
    await takeAll(
      sent({ type: 'watch', value: 5, ...at(1) }),
      sent({ type: 'watch', value: 700.5, ...at(2) }),
      sent({ type: 'watch', value: 60, ...at(3) }),
      sent({ type: 'like', value: 1, ...at(1) }),
      sent({ type: 'like', value: 0, ...at(2) }),
    );
    expect(await storedState('watch')).toEqual([700.5, 2]);
    expect(await storedState('like')).toEqual([0, 2]);
  });
});

describe('a repeated id', () => {
  it.each(['open', 'like', 'view', 'impression'])('changes nothing: %s', async (type) => {
    const event = sent({ type, value: 1, ...at(0) });
    expect(await takeAll(event)).toMatchObject({ accepted: 1, duplicates: 0 });
    expect(await takeAll({ ...event, value: 0, ...at(60), ...by('other') }, { ...event, item: 'b' })).toMatchObject({
      accepted: 0,
      duplicates: 2,
    });
    expect([
      ...(await readFacts(database.pool, projectId)),
      ...(await readStates(database.pool, projectId)),
      ...(await readImpressions(database.pool, projectId)),
    ]).toHaveLength(1);
  });

  it('is recognised even if other ids of the same request were new', async () => {
    const known = [sent({ type: 'like' }), sent({ type: 'impression' }), sent()];
    await takeAll(...known);
    const more = ['like', 'impression', 'open'].map((type) => sent({ type, item: 'b' }));
    expect(await takeAll(...known, ...more)).toEqual({ accepted: 3, duplicates: 3, rejected: [] });
    expect((await readStates(database.pool, projectId)).map(({ item_id: item }) => item)).toEqual(['a', 'b']);
    expect((await readImpressions(database.pool, projectId)).map(({ count }) => count)).toEqual([1, 1]);
  });

  // proves: decisions-events/impression-ids
  it('counts again when it has been forgotten, the day after its last day', async () => {
    const shown = sent({ type: 'impression' });
    await takeAll(shown);
    const repeatOnDay = async (daysLeft: number) => {
      await database.pool.query(
        `update seen_event_ids set expires_on = (now() at time zone 'UTC')::date + $2::integer where project_id = $1`,
        [projectId, daysLeft],
      );
      await deleteExpiredIds(database.pool, 100);
      return takeAll(shown);
    };
    expect(await repeatOnDay(0)).toMatchObject({ accepted: 0, duplicates: 1 });
    expect(await repeatOnDay(-1)).toMatchObject({ accepted: 1, duplicates: 0 });
    expect((await readImpressions(database.pool, projectId)).map(({ count }) => count)).toEqual([2]);
  });

  it('is remembered for 730 days, and for impressions as long as configured', async () => {
    await take(database.pool, projectId, [sent({ type: 'like' }), sent({ type: 'impression' })], {
      impressionIdDays: 7,
    });
    const { rows } = await database.pool.query(
      `select expires_on - (now() at time zone 'UTC')::date as days from seen_event_ids where project_id = $1 order by 1`,
      [projectId],
    );
    expect(rows.map(({ days }) => days)).toEqual([7, 730]);
  });
});

describe('many facts', () => {
  it('are stored whatever their texts contain, except those whose ids were known', async () => {
    const odd = 'a "quoted", {braced}, \\back\\slashed\ttext\nof two lines';
    await addItems(database.pool, projectId, [odd, 'NULL']);
    await takeAll(sent({ id: 'known-fact' }), sent({ id: 'known-state', type: 'like' }));
    const many = Array.from({ length: 200 }, (_, n) =>
      sent({
        item: n % 2 ? odd : 'NULL',
        surface: n % 3 ? '' : 'a\tb',
        recommendationId: odd,
        ...by(`${odd}${n % 7}`),
      }),
    );
    expect(await takeAll(...many, sent({ id: 'known-fact' }), sent({ id: 'known-state' }))).toEqual({
      accepted: 200,
      duplicates: 2,
      rejected: [],
    });
    expect(await takeAll(...many)).toMatchObject({ accepted: 0, duplicates: 200 });
    const { rows } = await database.pool.query(
      `select e.item_id, e.surface, e.recommendation_id, i.external_id, count(*)::int from events e join identities i on i.project_id = e.project_id and i.id = e.identity_id
        where e.project_id = $1 and e.item_id = $2 and e.surface <> '' group by 1, 2, 3, 4 order by 4 limit 1`,
      [projectId, odd],
    );
    expect(rows).toEqual([{ item_id: odd, surface: 'a\tb', recommendation_id: odd, external_id: `${odd}0`, count: 5 }]);
  });
});

describe('a window', () => {
  beforeEach(() => changeType(database.pool, projectId, 'open', { dedup_window_sec: 60 }));

  // proves: events/EventTypeOut, decisions-events/window
  it('makes a second fact a duplicate, before or after the first', async () => {
    expect(await takeAll(sent(at(100)))).toMatchObject({ accepted: 1 });
    expect(await takeAll(sent(at(159.999)))).toMatchObject({ accepted: 0, duplicates: 1 });
    expect(await takeAll(sent(at(40.001)))).toMatchObject({ accepted: 0, duplicates: 1 });
    expect(await takeAll(sent(at(160)))).toMatchObject({ accepted: 1, duplicates: 0 });
    expect(await takeAll(sent(at(40)))).toMatchObject({ accepted: 1, duplicates: 0 });
    expect(await readFacts(database.pool, projectId)).toHaveLength(3);
  });

  // proves: decisions-events/window
  it('applies within one request, where the first in the list counts', async () => {
    const events = [sent({ id: 'first', ...at(100) }), sent({ id: 'near', ...at(70) }), sent({ id: 'far', ...at(30) })];
    expect(await takeAll(...events)).toEqual({ accepted: 2, duplicates: 1, rejected: [] });
    expect((await readFacts(database.pool, projectId)).map(({ id }) => id)).toEqual(['far', 'first']);
  });

  // proves: decisions-events/window
  it('applies to one person, item and type', async () => {
    const events = [
      sent(at(0)),
      sent({ ...at(0), item: 'b' }),
      sent({ ...at(0), ...by('v') }),
      sent({ ...at(0), type: 'share' }),
      sent({ ...at(0), type: 'share' }),
    ];
    expect(await takeAll(...events)).toMatchObject({ accepted: 5 });
    // The same with facts that are stored already.
    projectId = await freshProject();
    await changeType(database.pool, projectId, 'open', { dedup_window_sec: 60 });
    const later = events.map((event) => ({ ...event, id: randomUUID() })).toReversed();
    for (const event of later) expect(await takeAll(event)).toMatchObject({ accepted: 1, duplicates: 0 });
    expect(await readFacts(database.pool, projectId)).toHaveLength(5);
  });

  // proves: events/EventTypeOut
  it('applies across a link, before and after the rows of the device are rewritten', async () => {
    const people = { pool: database.pool, projectId };
    const onDevice = { user: { userId: null, anonymousId: 'd', fingerprint: null } };
    await takeAll(sent({ ...onDevice, ...at(100) }), sent({ ...onDevice, item: 'b', ...at(200) }));
    await link(people, 'u', 'd');
    const repeats = () =>
      takeAll(
        sent({ ...by('u'), ...at(130) }),
        sent({ ...onDevice, ...at(90) }),
        sent({ ...by('u'), item: 'b', ...at(259) }),
      );
    expect(await repeats()).toEqual({ accepted: 0, duplicates: 3, rejected: [] });
    expect(await takeAll(sent({ ...by('u'), ...at(160) }), sent({ ...by('v'), ...at(130) }))).toMatchObject({
      accepted: 2,
    });
    const deviceId = await identityOf(people, 'anonymous', 'd');
    await moveHistoryChunk(database.pool, { projectId, deviceId, limit: 1, isLastPass: false });
    expect(await repeats()).toEqual({ accepted: 0, duplicates: 3, rejected: [] });
    await moveHistoryChunk(database.pool, { projectId, deviceId, limit: 100, isLastPass: true });
    expect(await repeats()).toEqual({ accepted: 0, duplicates: 3, rejected: [] });
  });

  it('is not opened by a dropped event, nor by one whose id was known', async () => {
    await takeAll(sent({ id: 'known', item: 'b', ...at(0) }));
    expect(await takeAll(sent(at(0)), sent(at(59)), sent(at(61)))).toMatchObject({ accepted: 2, duplicates: 1 });
    expect(await takeAll(sent({ id: 'known', ...at(1_000) }), sent(at(1_001)))).toMatchObject({
      accepted: 1,
      duplicates: 1,
    });
  });
});

async function freshProject(): Promise<string> {
  const id = await createTestProject(database.pool);
  await addItems(database.pool, id, ['a', 'b']);
  return id;
}
