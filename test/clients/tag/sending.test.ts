import { describe, expect, it } from '@jest/globals';
import { TAG_KEY } from './support/site.ts';
import { inPage, stageTag, until } from './support/stage.ts';

const stage = stageTag({ isHurried: true });
const STORE = `_svc_q_${TAG_KEY}`;
const stored = `JSON.parse(localStorage.getItem('${STORE}') || '{"e":[]}').e.map(({e}) => e.name || e.type)`;

/** Returns each event once: one whose answer is late is sent again with the same id, which the intake recognizes. */
const names = (): string[] => [
  ...new Map(stage.collector.events('event').map(({ id, name }) => [id, String(name)])).values(),
];

describe('events that cannot be sent', () => {
  // proves: decisions-tag/retries
  it('wait in the browser while there is no network, even across a reload, and arrive once', async () => {
    const page = await stage.openAnswered('/offline');
    await stage.context.setOffline(true);
    await inPage(page, "svc('event', 'one'); svc('goal', 'lead', {value: 1})");
    await until(async () => (await inPage(page, `${stored}.length`)) === 2, 'both stored');
    await stage.context.setOffline(false);
    await stage.collector.event('goal');
    await until(async () => (await inPage(page, `${stored}.length`)) === 0, 'the answer');
    await stage.context.setOffline(true);
    await inPage(page, "svc('event', 'two')");
    await until(async () => (await inPage(page, `${stored}.join()`)) === 'two', 'two stored');
    await page.goto('about:blank');
    await stage.context.setOffline(false);
    const next = await stage.open('/offline-next');
    await until(() => names().includes('two'), 'two');
    await inPage(next, "svc('event', 'three')");
    await until(() => names().includes('three'), 'three');
    expect(names()).toEqual(['one', 'two', 'three']);
    await until(async () => (await inPage(next, `${stored}.length`)) === 0, 'an empty store');
    expect(stage.collector.events('event').find(({ name }) => name === 'two')).toMatchObject({
      url: stage.site.url('/offline'),
    });
    expect(new Set(stage.collector.batches.map(({ visitor_id }) => visitor_id)).size).toBe(1);
  });

  it.each([[null], [500], [503], [429], [408]])('are sent again after %p', async (status) => {
    stage.collector.answers.push(status === null ? null : { status });
    await stage.open('/again');
    await stage.collector.event('pageview');
    const ids = stage.collector.requests
      .filter(({ body }) => body !== '')
      .map(({ body }) => (JSON.parse(body) as { events: { id: string }[] }).events[0]?.id);
    expect(ids.length).toBeGreaterThanOrEqual(2);
    expect(new Set(ids).size).toBe(1);
  });

  it.each([[400], [401], [403], [413], [422]])(
    'are dropped after %d: the same would be refused again',
    async (status) => {
      stage.collector.answers.push({ status });
      const page = await stage.open('/refused');
      await until(() => stage.collector.requests.length === 1, 'the refused batch');
      await inPage(page, "svc('event', 'next')");
      await stage.collector.event('event');
      expect(stage.collector.events().map(({ type }) => type)).toEqual(['event']);
      expect(await inPage(page, stored)).toEqual([]);
    },
  );

  it('wait as long as the server says, on the next page too', async () => {
    const refusal = { status: 503, headers: { 'Retry-After': '3' } };
    // Enough for a first page that stays open for longer than the wait.
    stage.collector.answers = Array.from({ length: 100 }, () => refusal);
    const page = await stage.open('/wait');
    await until(async () => String(await inPage(page, stored)) === 'pageview', 'the stored view');
    await page.close();
    stage.collector.answers = [];
    const next = await stage.open('/wait-next');
    await stage.collector.event('pageview', 2);
    const refused = stage.collector.requests.findLast(({ status }) => status === refusal.status);
    const taken = stage.collector.requests.filter(({ status }) => status === 202);
    // Together, or one after the other where the next page took longer than the wait.
    expect(taken.length).toBeLessThanOrEqual(2);
    for (const { at } of taken) expect(at - Number(refused?.at)).toBeGreaterThan(2900);
    expect(stage.collector.events('pageview').map(({ url }) => url)).toEqual([
      stage.site.url('/wait'),
      stage.site.url('/wait-next'),
    ]);
    await until(async () => (await inPage(next, `${stored}.length`)) === 0, 'an empty store');
  });

  // proves: tag-limits/late-events, decisions-tag/retries
  it('for over a day are dropped', async () => {
    const page = await stage.open('/old');
    await stage.collector.event('pageview');
    const entry = (name: string, hours: number): object => ({
      v: '6f1c2a7e-0b5d-4c55-9d0e-8a3f2b1c4d5e',
      e: { id: name, name, type: 'event', url: page.url(), at: new Date(Date.now() - hours * 3600_000).toISOString() },
    });
    await inPage(
      page,
      `localStorage.setItem('${STORE}', ${JSON.stringify(JSON.stringify({ n: 0, e: [entry('old', 24.1), entry('kept', 23.9)] }))})`,
    );
    await stage.open('/old-next');
    await stage.collector.event('event');
    expect(names()).toEqual(['kept']);
    // Sent for its original visitor, in a separate batch.
    expect(stage.collector.batches.find(({ events }) => events.some(({ id }) => id === 'kept'))).toMatchObject({
      visitor_id: '6f1c2a7e-0b5d-4c55-9d0e-8a3f2b1c4d5e',
    });
    await stage.collector.event('pageview', 2);
  });

  it('count once each when two tabs may send them', async () => {
    const page = await stage.openAnswered('/tabs');
    await stage.context.setOffline(true);
    await inPage(page, "for (let n = 0; n < 60; n++) svc('event', 'e' + n)");
    await until(async () => (await inPage(page, `${stored}.length`)) === 60, 'all stored');
    const other = await stage.context.newPage();
    await stage.context.setOffline(false);
    await other.goto(stage.site.url('/tabs-other'));
    await until(() => names().length >= 60, 'all events');
    await inPage(other, "svc('event', 'last')");
    await until(() => names().includes('last'), 'the last');
    expect(names()).toHaveLength(61);
    expect(new Set(names()).size).toBe(61);
  });

  it('suffer neither from rubbish in the store nor from a full store', async () => {
    const page = await stage.open('/rubbish');
    await stage.collector.event('pageview');
    for (const text of ['{', '[]', 'null', '{"e":[null,1,{"v":1}],"n":"x"}', '{"n":99999999999999,"e":[]}']) {
      await inPage(page, `localStorage.setItem('${STORE}', ${JSON.stringify(text)})`);
      await inPage(page, "svc('event', 'still')");
      await until(() => names().length === 1, 'the event');
      stage.collector.reset();
    }
    await inPage(
      page,
      "for (let size = 4e6; size > 1; size /= 2) try { localStorage.setItem('full' + size, 'x'.repeat(size)) } catch {}",
    );
    stage.collector.answers.push({ status: 500 });
    await inPage(page, "svc('event', 'full')");
    await stage.collector.event('event');
    expect(stage.faults).toEqual([]);
  });
});

describe('when the page is left', () => {
  // proves: decisions-tag/beacon
  it.each([
    ['left', "dispatchEvent(new PageTransitionEvent('pagehide', { persisted: false }))"],
    [
      'hidden, after which phones may end it without another event',
      "Object.defineProperty(document, 'hidden', { value: true }); document.dispatchEvent(new Event('visibilitychange'))",
    ],
  ])('the rest is sent by beacon: the page is %s', async (_how, leave) => {
    const page = await stage.openAnswered('/leave');
    const beacons = await inPage(
      page,
      `
      let beacons = [];
      navigator.sendBeacon = new Proxy(navigator.sendBeacon, { apply(target, self, given) { const taken = Reflect.apply(target, navigator, given); beacons.push(taken); return taken } });
      svc('event', 'just-before'); ${leave}; beacons`,
    );
    expect(beacons).toEqual([true]);
    await stage.collector.event('event');
    await page.goto(stage.site.url('/leave-next'), { referer: stage.site.url('/leave') });
    await stage.collector.event('pageview', 2);
    expect(names()).toEqual(['just-before']);
    expect(stage.collector.requests.find(({ body }) => body.includes('just-before'))?.headers['content-type']).toMatch(
      /^text\/plain/,
    );
    expect(stage.collector.events('pageview')[1]).toMatchObject({ referrer: stage.site.url('/leave') });
  });

  it('what the browser refuses is sent on the next page', async () => {
    const page = await stage.open('/refusing');
    await stage.collector.event('pageview');
    await inPage(page, "navigator.sendBeacon = () => false; svc('event', 'kept')");
    await page.goto(stage.site.url('/refusing-next'));
    await stage.collector.event('event');
    expect(names()).toEqual(['kept']);
  });

  it('a closed tab loses nothing', async () => {
    const page = await stage.open('/closed');
    await stage.collector.event('pageview');
    await inPage(page, "svc('event', 'at-the-end')");
    await page.close({ runBeforeUnload: true });
    await stage.collector.event('event');
    expect(names()).toEqual(['at-the-end']);
  });

  it('a page that returns from the back-forward cache is counted again', async () => {
    const page = await stage.openAnswered('/back');
    // Pages under test are never restored from that cache, so the test dispatches its events.
    await inPage(
      page,
      "dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true })); dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))",
    );
    await stage.collector.event('pageview', 2);
    await inPage(page, "svc('event', 'alive')");
    await stage.collector.event('event');
    expect(stage.collector.events('pageview').map(({ url }) => new URL(url).pathname)).toEqual(['/back', '/back']);
  });
});
