/** The tag against the real server: what happens in a browser ends up in PostgreSQL. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { updateSite } from '../../../db/sites/sites.ts';
import type { CollectedEvent } from '../../../domain/collect/collected.ts';
import { readInbox } from '../../api/collect/support/site.ts';
import { startTestApi, type TestApi } from '../../api/support/testApi.ts';
import { createTestSite, type TestSite } from '../../api/support/testSite.ts';
import { startBrowser } from '../../support/programs/browser.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { startTcpProxy, type TcpProxy } from '../../support/servers/tcpProxy.ts';
import { snippet, startSite, type Site } from './support/site.ts';
import { inPage, until } from './support/stage.ts';

let database: TestDatabase;
let api: TestApi;
let proxy: TcpProxy;
let browser: Browser;
let pages: Site;
let site: TestSite;
let context: BrowserContext;
/** The server under its own host name, through a connection that can be cut. */
let origin: string;

beforeAll(async () => {
  database = await createTestDatabase();
  api = await startTestApi({ databaseUrl: database.url, env: { TRUSTED_PROXIES: '127.0.0.1' } });
  proxy = await startTcpProxy(new URL(api.origin).host);
  origin = `http://attune.test:${proxy.address.split(':')[1]}`;
  browser = await startBrowser();
  pages = await startSite(() => snippet(origin, `svc('init','${site.tagKey}');`));
});
beforeEach(async () => {
  site = await createTestSite(database.pool);
  context = await browser.newContext();
});
afterEach(async () => {
  proxy.mode = 'open';
  await context.close();
});
afterAll(async () => {
  await browser?.close();
  await pages?.close();
  await proxy?.close();
  await api?.close();
  await database?.drop();
});

async function open(path: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(pages.url(path));
  await page.waitForFunction('window.svc && window.svc.on');
  return page;
}

async function stored(type?: string): Promise<CollectedEvent[]> {
  const events = (await readInbox(database.pool, site.id)).flatMap(({ batch }) => batch.events);
  return events.filter((event) => type === undefined || event.type === type);
}

async function untilStored(type: string, count = 1): Promise<CollectedEvent[]> {
  return await until(async () => {
    const events = await stored(type);
    return events.length >= count ? events : null;
  }, `${count} events of type ${type}`);
}

describe('the tag and /collect', () => {
  it('everything that the tag sends is accepted and stored', async () => {
    pages.pages.set('/all', {
      title: 'Каталог 😀',
      body: `<form id="callback" onsubmit="return false"><button>b</button></form><a href="https://other.example/" onclick="return false">o</a>
        <a href="/price.pdf" onclick="return false">p</a><div style="height: 3000px"></div>`,
    });
    const answers: unknown[] = [];
    context.on('response', (response) => {
      if (response.url().endsWith('/collect'))
        void response.json().then(
          (body) => answers.push(body),
          () => {},
        );
    });
    const page = await open('/all');
    await inPage(
      page,
      `
      svc('goal', 'lead', {value: 100}); svc('event', 'play', {title: 'ё😀\\ud800'});
      svc('purchase', {transaction_id: 'T1', revenue: 10.5, currency: 'usd', products: [{id: 'p', name: 'P', category: 'a/b', price: 5.25, qty: 2}], promo_code: 'X'});
      svc('refund', {transaction_id: 'T1', revenue: 10.5}); svc('hit', '/virtual', {title: 'V', params: {level: 1}});
      svc('user', {user_id: 'u-1', email: 'anna@example.org', phone: '+7 999', gender: 'female', age: 30, city: 'Omsk', children: [5], interests: ['garden'], params: {vip: true}})`,
    );
    for (const selector of ['button', 'a[href^=https]', 'a[href$=pdf]']) await page.click(selector);
    await page.mouse.wheel(0, 800);
    await page.waitForFunction('window.scrollY > 0');
    // The event about it comes with the next frame.
    await inPage(page, 'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
    await page.goto(pages.url('/bye'));
    await untilStored('pageview', 3);
    // Events sent on leaving may arrive after those of the next page.
    const told = [
      'click',
      'download',
      'event',
      'form',
      'goal',
      'outbound',
      'pageview',
      'purchase',
      'refund',
      'scroll',
      'user',
    ];
    const types = async (): Promise<string[]> =>
      [...new Set((await stored()).map(({ type }) => type))].filter((type) => type !== 'ping').sort();
    await until(async () => (await types()).length >= told.length, 'every type');
    expect(await types()).toEqual(told);
    for (const answer of answers) expect(answer).toMatchObject({ dropped: [] });
    const [view] = await stored('pageview');
    expect(view).toMatchObject({ url: pages.url('/all'), title: 'Каталог 😀', referrer: null });
    expect(await stored('event')).toMatchObject([{ name: 'play', params: { title: 'ё😀' } }]);
    expect(await stored('purchase')).toMatchObject([
      {
        order: {
          transaction_id: 'T1',
          revenue: 10.5,
          currency: 'USD',
          promo_code: 'X',
          products: [{ id: 'p', price: 5.25, qty: 2 }],
        },
      },
    ]);
    const [user] = await stored('user');
    expect(user?.user).toMatchObject({
      user_id: 'u-1',
      gender: 'female',
      age: 30,
      children: [5],
      interests: ['garden'],
    });
    expect(JSON.stringify(user)).not.toContain('anna');
    const rows = await readInbox(database.pool, site.id);
    const [cookie] = await context.cookies();
    expect(new Set(rows.map(({ visitorId }) => visitorId))).toEqual(new Set([cookie?.value]));
    expect(rows[0]?.batch.device).toMatchObject({ language: expect.any(String), timezone: expect.any(String) });
  });

  // proves: tag-limits/goal-code, tag-limits/params, tag-limits/user_id, tag-limits/email, tag-limits/user-params
  it('values at the documented limits are accepted unchanged, and longer texts and lists are cut', async () => {
    const page = await open(`/limits?${'q'.repeat(3000)}`);
    await inPage(
      page,
      `
      svc('goal', 'a'.repeat(64), {a: 'x'.repeat(2040)}); svc('event', 'n'.repeat(255), {a: 'я'.repeat(1020)});
      svc('user', {user_id: 'u'.repeat(191), email: 'e'.repeat(250) + '@x.y', phone: '1'.repeat(32), city: '😀'.repeat(300), age: 5, children: Array(20).fill(17),
        interests: Array(80).fill('я'.repeat(250)), params: {a: 'x'.repeat(4088)}})`,
    );
    const [user] = await untilStored('user');
    expect((await stored('pageview'))[0]?.url).toHaveLength(2048);
    expect((await stored('goal'))[0]).toMatchObject({ name: 'a'.repeat(64), params: { a: 'x'.repeat(2040) } });
    expect((await stored('event'))[0]?.params).toEqual({ a: 'я'.repeat(1020) });
    expect(user?.user).toMatchObject({
      user_id: 'u'.repeat(191),
      email_hash: expect.any(String),
      phone_hash: expect.any(String),
      age: 5,
      params: { a: 'x'.repeat(4088) },
    });
    expect([...(user?.user?.city ?? '')]).toHaveLength(128);
    expect(user?.user?.children).toHaveLength(10);
    expect(user?.user?.interests).toHaveLength(50);
  });

  it('a server that cannot be reached gets everything later, once', async () => {
    const page = await open('/cut');
    await untilStored('pageview');
    proxy.mode = 'cut';
    proxy.breakConnections();
    await inPage(page, "for (let n = 0; n < 30; n++) svc('event', 'cut' + n)");
    await until(
      async () =>
        (await inPage(page, `(localStorage.getItem('_svc_q_${site.tagKey}') || '').includes('cut29')`)) === true,
      'the stored events',
    );
    await page.goto(pages.url('/cut-next', 'www.shop.example')).catch(() => {});
    proxy.mode = 'open';
    await page.goto(pages.url('/cut-last'));
    await untilStored('event', 30);
    expect((await stored('event')).map(({ name }) => name).sort()).toEqual(
      Array.from({ length: 30 }, (_, n) => `cut${n}`).sort(),
    );
  });

  it('a lost answer causes no duplicate', async () => {
    const page = await open('/lost');
    await untilStored('pageview');
    // The request arrives, its answer does not.
    let lost = 0;
    await page.route('**/collect', async (route) => {
      if (lost > 0) return await route.continue();
      lost += 1;
      await fetch(`${api.origin}/collect`, {
        method: 'POST',
        body: route.request().postData() ?? '',
        headers: { 'content-type': 'text/plain' },
      });
      await route.abort('connectionreset');
    });
    await inPage(page, "svc('goal', 'once')");
    await untilStored('goal');
    await inPage(page, "svc('event', 'after')");
    await until(
      async () =>
        (await inPage(page, `localStorage.getItem('_svc_q_${site.tagKey}')`)) === null &&
        (await stored('event')).length === 1,
      'the second try',
    );
    expect(lost).toBe(1);
    expect(await stored('goal')).toHaveLength(1);
  });

  it("the error of the device's clock is corrected", async () => {
    const page = await context.newPage();
    await page.clock.install({ time: new Date(Date.now() + 5 * 3600_000) });
    const before = Date.now();
    await page.goto(pages.url('/clock'));
    const [view] = await untilStored('pageview');
    expect(Number(view?.at)).toBeGreaterThan(before - 60_000);
    expect(Number(view?.at)).toBeLessThanOrEqual(Date.now());
  });

  it('nothing is stored from a host that the site does not list, although the tag runs there', async () => {
    await updateSite(database.pool, site.id, { hosts: ['other.example'] });
    const answer = context.waitForEvent('response', (response) => response.url().endsWith('/collect'));
    await open('/foreign');
    expect((await answer).status()).toBe(403);
    expect(await stored()).toEqual([]);
  });

  it('a recording is stored chunk by chunk', async () => {
    await updateSite(database.pool, site.id, { recordings: true });
    pages.pages.set('/recorded', { body: '<h1>Recorded</h1><input id="name">' });
    const page = await open('/recorded');
    await until(async () => (await inPage(page, "sessionStorage.getItem('_svc_r') !== null")) === true, 'a recording');
    await page.fill('#name', 'Anna');
    await page.goto(pages.url('/recorded-next'));
    const rows = await until(async () => {
      const { rows } = await database.pool.query<{ seq: number; events: number }>(
        'select seq, events from site_recording_chunks where site_id = $1 order by seq',
        [site.id],
      );
      return rows.length >= 2 ? rows : null;
    }, 'two chunks');
    expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_row, index) => index));
    const [cookie] = await context.cookies();
    const { rows: recordings } = await database.pool.query(
      'select visitor_id, chunks from site_recordings where site_id = $1',
      [site.id],
    );
    expect(recordings).toMatchObject([{ visitor_id: cookie?.value }]);
  });
});
