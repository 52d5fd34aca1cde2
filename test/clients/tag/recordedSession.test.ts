/** A session in a real browser, recorded by the real server: the cabinet serves what the tag sends. */
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { fetch } from 'undici';
import type { Browser, Page } from 'playwright-core';
import { clientOf, createTestToken, startTestApi, type Client, type TestApi } from '../../api/support/testApi.ts';
import { startBrowser } from '../../support/programs/browser.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { startSite, type Site } from './support/site.ts';
import { inPage } from './support/stage.ts';

let database: TestDatabase;
let api: TestApi;
let token: string;
let admin: Client;
let browser: Browser;
let site: Site;

beforeAll(async () => {
  [database, browser, site] = await Promise.all([createTestDatabase(), startBrowser(), startSite(() => '')]);
  api = await startTestApi({ databaseUrl: database.url });
  token = await createTestToken(database.pool);
  admin = clientOf(api.cabinet, token);
});

afterAll(async () => {
  await browser?.close();
  await site?.close();
  await api?.close();
  await database?.drop();
});

/** Returns the events of all parts, as the cabinet serves them. */
async function eventsOf(siteId: string, recordingId: string): Promise<{ type: number; data: unknown }[]> {
  const { parts } = (await admin('GET', `/sites/${siteId}/recordings/${recordingId}`)).body as {
    parts: { seq: number }[];
  };
  const events = await Promise.all(
    parts.map(async ({ seq }) => {
      const response = await fetch(`${api.cabinet}/sites/${siteId}/recordings/${recordingId}/chunks/${seq}`, {
        headers: { authorization: `Bearer ${token}` },
      });
      return JSON.parse(gunzipSync(Buffer.from(await response.arrayBuffer())).toString()) as {
        type: number;
        data: unknown;
      }[];
    }),
  );
  return events.flat();
}

/** Visits a page whose recording is larger than a request that a browser may still send as the user leaves the page. */
async function visit(page: Page, head: string): Promise<void> {
  site.pages.set('/shop', { head, body: `<h1>Catalogue</h1><input id="name"><p>${'words '.repeat(2_000)}</p>` });
  await page.goto(site.url('/shop'));
  await eventually(
    async () => (await inPage(page, "sessionStorage.getItem('_svc_r') !== null")) === true,
    'a recording in the page',
  );
  await page.fill('#name', 'Anna Petrova');
  await page.mouse.move(50, 60);
  await inPage(page, "document.querySelector('h1').textContent = 'Changed by a script'");
}

it.each(['snippet', 'external_snippet'] as const)(
  "the session of a page is recorded with the cabinet's %s, and shown by the cabinet",
  async (variant) => {
    const { id } = (
      await admin('POST', '/sites', {
        title: 'Shop',
        hosts: ['www.shop.example'],
        timezone: 'Europe/Moscow',
        currency: 'RUB',
      })
    ).body;
    await admin('PATCH', `/sites/${id}`, { recordings: true });
    const head = (await admin('GET', `/sites/${id}/tag`)).body[variant].replaceAll('http://attune.test', api.origin);
    const context = await browser.newContext();
    const page = await context.newPage();
    await visit(page, head);

    const recording = await eventually(
      async () => (await admin('GET', `/sites/${id}/recordings`)).body.items[0],
      'a recording in the cabinet',
    );
    await eventually(
      async () => JSON.stringify(await eventsOf(id, recording.id)).includes('Changed by a script'),
      'the change in its parts',
    );
    const events = JSON.stringify(await eventsOf(id, recording.id));
    expect(events).toContain('Catalogue');
    expect(events).not.toContain('Anna');
    const [cookie] = await context.cookies();
    expect(cookie).toMatchObject({ name: '_svc_a', value: recording.visitor_id });
    expect(recording.user_agent).toContain('Chrome');
    await context.close();
  },
);
