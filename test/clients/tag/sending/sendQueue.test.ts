import { describe, expect, it } from '@jest/globals';
import type { EventFields, TagEvent } from '../../../../clients/tag/data/event.ts';
import { createSendQueue, type Answer, type SendQueue } from '../../../../clients/tag/sending/sendQueue.ts';
import { createStore, LEASE_MS, type TextStorage } from '../../../../clients/tag/sending/unsentEvents.ts';
import { REQUESTS_LIMIT } from '../../../../domain/visits/robotFrequency.ts';

const OK: Answer = { status: 202, retryAfter: null, body: { accepted: 1 } };
const failed = (status: number, retryAfter: number | null = null): Answer => ({ status, retryAfter, body: null });

function storageOf(values = new Map<string, string>()): TextStorage {
  return {
    getItem: (name) => values.get(name) ?? null,
    setItem: (name, value) => void values.set(name, value),
    removeItem: (name) => void values.delete(name),
  };
}

/** A clock that a test advances, and requests that it answers or leaves unanswered. */
class World {
  time = Date.parse('2026-11-21T12:00:00.000Z');
  storage = storageOf();
  sent: { at: number; visitor: string; ids: string[] }[] = [];
  beacons: string[][] = [];
  answers: (Answer | 'never')[] = [];
  takesBeacons = true;
  isOnline = true;
  timers: { work: () => void; due: number; tab: number }[] = [];
  accepted: unknown[] = [];
  #tabs = 0;

  tab(): SendQueue & { die(): void } {
    this.#tabs += 1;
    const number = this.#tabs;
    const queue = createSendQueue({
      store: createStore(this.storage, 'q'),
      visitorId: () => 'v',
      envelope: (visitor, events) => JSON.stringify({ visitor, ids: events.map(({ id }) => id) }),
      post: (body) => {
        this.sent.push({ at: this.time, ...(JSON.parse(body) as { visitor: string; ids: string[] }) });
        const answer = this.answers.shift() ?? OK;
        return answer === 'never' ? new Promise(() => {}) : Promise.resolve(answer);
      },
      beacon: (body) => {
        if (this.takesBeacons) this.beacons.push((JSON.parse(body) as { ids: string[] }).ids);
        return this.takesBeacons;
      },
      isOnline: () => this.isOnline,
      later: (work, ms) => {
        const timer = { work, due: this.time + ms, tab: number };
        this.timers.push(timer);
        return timer;
      },
      cancel: (timer) => (this.timers = this.timers.filter((other) => other !== timer)),
      now: () => this.time,
      random: () => 0.5,
      beforeSend: () => {},
      onAccepted: (body) => this.accepted.push(body),
    });
    return Object.assign(queue, { die: () => (this.timers = this.timers.filter(({ tab }) => tab !== number)) });
  }

  event(id: string, fields: Partial<EventFields> = {}): TagEvent {
    return { id, at: new Date(this.time).toISOString(), type: 'event', url: 'https://shop.example/', ...fields };
  }

  /** Advances time, and runs timers and answers in order. */
  async pass(ms: number): Promise<void> {
    const end = this.time + ms;
    for (;;) {
      await answersCome();
      const next = this.timers.filter(({ due }) => due <= end).sort((a, b) => a.due - b.due)[0];
      if (!next) break;
      this.time = Math.max(this.time, next.due);
      this.timers = this.timers.filter((timer) => timer !== next);
      next.work();
    }
    this.time = end;
  }
}

/** Promises that are settled already are handled within a turn of the event loop. */
function answersCome(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

function ids(world: World): string[][] {
  return world.sent.map(({ ids }) => ids);
}

describe('batches', () => {
  // proves: decisions-tag/batches
  it('are sent one at a time, a second after the first event or as soon as there are ten', async () => {
    const world = new World();
    const tab = world.tab();
    tab.add(world.event('a'));
    await world.pass(900);
    tab.add(world.event('b'));
    expect(world.sent).toEqual([]);
    await world.pass(100);
    expect(ids(world)).toEqual([['a', 'b']]);
    for (let n = 0; n < 25; n += 1) tab.add(world.event(`n${n}`));
    await world.pass(250);
    expect(ids(world)[1]).toHaveLength(25);
    expect(world.accepted).toHaveLength(2);
  });

  // proves: tag-limits/requests
  it('are fewer than those that make a visitor a robot, however many events come', async () => {
    const world = new World();
    const tab = world.tab();
    const steps = REQUESTS_LIMIT.periodMs / 10;
    for (let step = 0; step < steps; step += 1) {
      for (let n = 0; n < 5; n += 1) tab.add(world.event(`${step}-${n}`));
      await world.pass(10);
    }
    // The other pages of the visitor send some too.
    expect(world.sent.length).toBeLessThan(0.75 * REQUESTS_LIMIT.count);
    await world.pass(60_000);
    expect(new Set(ids(world).flat()).size).toBe(5 * steps);
    expect(ids(world).flat()).toHaveLength(5 * steps);
    expect(Math.max(...ids(world).map((batch) => batch.length))).toBe(50);
  });
});

describe('after a failure', () => {
  it('the pauses grow to ten minutes, and nothing is lost or duplicated', async () => {
    const world = new World();
    const tab = world.tab();
    world.answers = Array.from({ length: 12 }, () => failed(503));
    tab.add(world.event('a'));
    await world.pass(2 * 3600_000);
    const pauses = world.sent.slice(1).map(({ at }, index) => Math.round((at - (world.sent[index]?.at ?? 0)) / 1000));
    expect(pauses).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600, 600]);
    expect(world.accepted).toHaveLength(1);
    tab.add(world.event('b'));
    await world.pass(1000);
    expect(ids(world).at(-1)).toEqual(['b']);
  });

  it.each([5 * 60_000, 2 * 3600_000])('a clock that is set back by %i ms does not lengthen a pause', async (by) => {
    const world = new World();
    world.answers.push(failed(503));
    const tab = world.tab();
    tab.add(world.event('a'));
    await world.pass(1000);
    // The timers of browsers do not follow the clock.
    world.time -= by;
    for (const timer of world.timers) timer.due -= by;
    await world.pass(2000);
    expect(ids(world)).toEqual([['a'], ['a']]);
  });

  it('no request is made sooner than the server says, not even by other tabs or after a reload', async () => {
    const world = new World();
    const [tab, other] = [world.tab(), world.tab()];
    world.answers = [failed(429, 60)];
    tab.add(world.event('a'));
    await world.pass(1000);
    other.add(world.event('b'));
    tab.retry(); // the network is back: no reason to ask the server sooner
    await world.pass(58_000);
    tab.die();
    world.tab().flush();
    expect(world.sent).toHaveLength(1);
    await world.pass(5000);
    expect(ids(world).slice(1).flat().sort()).toEqual(['a', 'b']);
    expect((world.sent[1]?.at ?? 0) - (world.sent[0]?.at ?? 0)).toBeGreaterThanOrEqual(60_000);
  });

  it.each([7_200, 10_000_000])('the pause is cut to an hour if the server requests %i seconds', async (retryAfter) => {
    const world = new World();
    const tab = world.tab();
    world.answers = [failed(503, retryAfter)];
    tab.add(world.event('a'));
    await world.pass(1000);
    tab.add(world.event('b'));
    await world.pass(3_590_000);
    expect(world.sent).toHaveLength(1);
    expect(Math.max(...world.timers.map(({ due }) => due - world.time))).toBeLessThanOrEqual(3_600_000);
    await world.pass(10_000);
    expect(ids(world).slice(1)).toEqual([['a', 'b']]);
  });

  it('a network that returns is used at once', async () => {
    const world = new World();
    const tab = world.tab();
    world.answers = Array.from({ length: 8 }, () => failed(0));
    tab.add(world.event('a'));
    await world.pass(300_000);
    const before = world.sent.length;
    tab.retry();
    await world.pass(0);
    expect(world.sent.length).toBe(before + 1);
    expect(world.accepted).toHaveLength(1);
  });

  // proves: tag-limits/late-events
  it('events over 24 hours old are dropped', async () => {
    const world = new World();
    world.answers = [failed(0)];
    const tab = world.tab();
    tab.add(world.event('old'));
    await world.pass(1000);
    tab.die();
    await world.pass(24 * 3600_000);
    const next = world.tab();
    next.add(world.event('new'));
    await world.pass(60_000);
    expect(ids(world).slice(1)).toEqual([['new']]);
    expect(createStore(world.storage, 'q').dueAt(world.time)).toBeNull();
  });

  it('a 403 drops the batch, and sending continues', async () => {
    const world = new World();
    const tab = world.tab();
    world.answers = [failed(403)];
    tab.add(world.event('a'));
    await world.pass(1000);
    tab.add(world.event('b'));
    await world.pass(100_000);
    expect(ids(world)).toEqual([['a'], ['b']]);
    expect(world.accepted).toHaveLength(1);
  });
});

describe('several tabs', () => {
  it('do not send what another is sending, and take over from a dead one after its lease', async () => {
    const world = new World();
    const tab = world.tab();
    world.answers = [failed(0), 'never'];
    tab.add(world.event('a'));
    await world.pass(3000);
    expect(ids(world)).toEqual([['a'], ['a']]);
    tab.die(); // killed while it sends: none of its code runs any more
    const other = world.tab();
    other.flush();
    await world.pass(LEASE_MS / 2);
    expect(world.sent).toHaveLength(2);
    await world.pass(LEASE_MS);
    expect(ids(world)).toEqual([['a'], ['a'], ['a']]);
    expect(createStore(world.storage, 'q').dueAt(world.time)).toBeNull();
  });
});

describe('when the page is left', () => {
  it('waiting events are sent by beacon, and a running batch is stored in case it does not arrive', async () => {
    const world = new World();
    const tab = world.tab();
    world.answers = ['never'];
    tab.add(world.event('a'));
    await world.pass(1000);
    for (let n = 0; n < 60; n += 1) tab.add(world.event(`n${n}`));
    tab.leave(true);
    expect(world.beacons.map((batch) => batch.length)).toEqual([50, 10]);
    tab.die();
    world.tab().flush();
    await world.pass(0);
    expect(ids(world)).toEqual([['a'], ['a']]);
  });

  it.each([['offline'], ['after a failure'], ['refused']])(
    'the rest is stored instead of sent by beacon: %s',
    async (why) => {
      const world = new World();
      const tab = world.tab();
      if (why === 'after a failure') {
        world.answers = [failed(503)];
        tab.add(world.event('failed'));
        await world.pass(1000);
      }
      world.isOnline = why !== 'offline';
      world.takesBeacons = why !== 'refused';
      tab.add(world.event('a'));
      tab.leave(false);
      expect(world.beacons).toEqual([]);
      tab.die();
      await world.pass(10_000);
      world.tab().flush();
      await world.pass(0);
      expect(ids(world).flat()).toContain('a');
    },
  );

  it('a page that comes back sends nothing twice if the answer came after all', async () => {
    const world = new World();
    const tab = world.tab();
    tab.add(world.event('a'));
    await world.pass(999);
    tab.flush();
    tab.leave(true);
    await world.pass(60_000);
    expect(ids(world)).toEqual([['a']]);
  });
});

describe('the store', () => {
  it.each([['full'], ['forbidden'], ['none']])(
    'is replaced by the memory of the page if it is unusable: %s',
    async (kind) => {
      const world = new World();
      const refuse = (): never => {
        throw new Error('QuotaExceededError');
      };
      const broken = {
        getItem: kind === 'full' ? () => null : refuse,
        setItem: refuse,
        removeItem: kind === 'full' ? () => {} : refuse,
      };
      const store = createStore(kind === 'none' ? null : broken, 'q');
      const entry = { v: 'v', e: world.event('a') };
      store.put([entry]);
      expect(store.free(world.time)).toEqual([entry]);
      store.pauseUntil(world.time + 1000);
      expect(store.pausedUntil(world.time)).toBe(world.time + 1000);
      store.remove([entry]);
      expect(store.dueAt(world.time)).toBeNull();
    },
  );

  it('keeps the newest 500, ordered by time', () => {
    const world = new World();
    const store = createStore(world.storage, 'q');
    for (let n = 0; n < 620; n += 1) {
      world.time += 1;
      store.put([{ v: 'v', e: world.event(`n${n}`) }]);
    }
    const kept = store.free(world.time).map(({ e }) => e.id);
    expect([kept.length, kept[0], kept.at(-1)]).toEqual([500, 'n120', 'n619']);
  });

  it('keeps at most about 250,000 characters of events, the newest ones', () => {
    const world = new World();
    const values = new Map<string, string>();
    const store = createStore(storageOf(values), 'q');
    for (let n = 0; n < 200; n += 1)
      store.put([{ v: 'v', e: world.event(`n${n}`, { params: { text: 'x'.repeat(2000) } }) }]);
    expect(String(values.get('q')).length).toBeLessThan(252_000);
    expect(store.free(world.time).at(-1)?.e.id).toBe('n199');
  });
});
