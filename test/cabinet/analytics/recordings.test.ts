/** Recorded sessions are found, played, kept and deleted; their content never executes. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { FrameLocator, Page } from 'playwright-core';
import { updateSite } from '../../../db/sites/sites.ts';
import { createTestUser, type Person } from '../../api/support/people.ts';
import { createRecordingSite } from '../../api/support/recordings.ts';
import { clientOf, createTestToken } from '../../api/support/testApi.ts';
import { createTestSite, type TestSite } from '../../api/support/testSite.ts';
import { eventually } from '../../support/eventually.ts';
import { startSite, type Site } from '../../clients/tag/support/site.ts';
import { element, pageAt, record, shopSession, textNode, told, type RecordedEvent } from '../support/recorded.ts';
import { answerRequests, expectAddress, expectTrue, expectVisible, stageCabinet } from '../support/stage.ts';

const stage = stageCabinet();
let site: TestSite;
let owner: Person;
let viewer: Person;

beforeAll(async () => {
  const { pool } = stage.database;
  site = await createRecordingSite(pool);
  owner = await createTestUser(pool, 'owner', { sites: [site.id] });
  viewer = await createTestUser(pool, 'viewer', { sites: [site.id] });
});

const play = async (events: readonly RecordedEvent[], person = owner): Promise<Page> => {
  const { recordingId } = await record({ origin: stage.api.origin, pool: stage.database.pool }, site, events);
  return stage.open(`/s/${site.id}/recordings/${recordingId}`, person);
};
/** Returns the visitor's screen: the frame without scripts within the player's own document. */
const screenOf = (page: Page): FrameLocator =>
  page.frameLocator('iframe[title="The recorded page"]').frameLocator('iframe');
const seekBar = (page: Page) => page.getByRole('slider', { name: 'Position in the recording' });

describe('a recording', () => {
  it('is played, paused and moved through with only the keyboard', async () => {
    const page = await play(shopSession());
    await expectVisible(screenOf(page).getByText('Lamps'));
    await page.getByRole('button', { name: 'Play', exact: true }).focus();
    await page.keyboard.press('Enter');
    await expectVisible(page.getByRole('button', { name: 'Pause' }));
    await expectTrue(page, `Number(document.querySelector('input[type=range]').value) > 0`);
    await page.keyboard.press('Enter');
    await expectVisible(page.getByRole('button', { name: 'Play', exact: true }));
    await seekBar(page).focus();
    await page.keyboard.press('End');
    await expectVisible(screenOf(page).getByText('Your cart'));
    expect(await seekBar(page).getAttribute('aria-valuetext')).toBe('0:40 of 0:40');
    await page.keyboard.press('Home');
    await expectVisible(screenOf(page).getByText('Choose one'));
  });

  it('jumps from an event to its moment, and draws the gaps that it skips', async () => {
    const page = await play(shopSession());
    await expectVisible(screenOf(page).getByText('Lamps'));
    await expectVisible(page.getByRole('button', { name: /0:02 Click #lamp/ }));
    await page.getByRole('button', { name: /0:35 Page https:\/\/shop.example\/cart/ }).click();
    await expectVisible(screenOf(page).getByText('Your cart'));
    await page.getByRole('button', { name: /0:36 Error/ }).click();
    await expectVisible(screenOf(page).getByText('Your cart'));
    expect(await page.locator('[aria-hidden] [class*=gap]').count()).toBe(1);
    await page.getByText('Skip inactivity').click();
    await page.getByRole('button', { name: /0:02 Click/ }).click();
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    await expectVisible(page.getByText('Skipped 32 sec in which the visitor did nothing.'));
    await expectTrue(page, `Number(document.querySelector('input[type=range]').value) > 32`);
  });

  it('is kept as a favourite, up to the quota, and deleted', async () => {
    await updateSite(stage.database.pool, site.id, { quotas: { favourites: 1 } });
    const page = await play(shopSession());
    await expectVisible(page.getByText('0 of 1 favourites'));
    await page.getByRole('button', { name: 'Keep as a favourite' }).click();
    await expectVisible(page.getByText('1 of 1 favourites'));
    const other = await play(shopSession());
    await expectVisible(other.getByText('All 1 favourites are in use. Remove one first.'));
    expect(await other.getByRole('button', { name: 'Keep as a favourite' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await expectAddress(page, `${stage.url}/s/${site.id}/recordings`);
    await expectVisible(page.getByText('0 of 1 favourites'));
  });

  it('can be viewed by a viewer, who is told why changes are not allowed', async () => {
    const page = await play(shopSession(), viewer);
    await expectVisible(page.getByText('Only owners and administrators can do this.'));
    for (const name of ['Keep as a favourite', 'Delete'])
      expect([name, await page.getByRole('button', { name }).isDisabled()]).toEqual([name, true]);
  });

  it('says if its parts do not load, and tries again', async () => {
    stage.allow(/Failed to load resource.*500/);
    const page = await play(shopSession());
    const stop = await answerRequests(page, '**/chunks?*', (route) =>
      route.fulfill({ status: 500, json: { error: { code: 'internal_error', message: 'x', request_id: 'r-1' } } }),
    );
    await page.reload();
    await expectVisible(page.getByRole('alert'));
    stop();
    await page.getByRole('button', { name: 'Try again' }).click();
    await expectVisible(screenOf(page).getByText('Lamps'));
  });
});

describe('a recording of a real page', () => {
  let shop: Site;
  beforeAll(async () => {
    shop = await startSite(() => '');
  });
  afterAll(() => shop?.close());

  it("is played as the visitor saw it, with the visitor's actions", async () => {
    const admin = clientOf(stage.api.cabinet, await createTestToken(stage.database.pool));
    const { body } = await admin('GET', `/sites/${site.id}/tag`);
    shop.pages.set('/lamps', { head: body.snippet, body: '<h1>Catalogue</h1><button id="buy">Buy</button>' });
    const visitor = await stage.browser.newPage();
    await visitor.goto(shop.url('/lamps'));
    await expectTrue(visitor, `sessionStorage.getItem('_svc_r') !== null`);
    await visitor.click('#buy');
    await visitor.evaluate(`document.querySelector('h1').textContent = 'Changed by a script'`);
    await eventually(
      async () => (await admin('GET', `/sites/${site.id}/recordings?page=/lamps`)).body.items[0],
      'the recording',
    );
    await visitor.close();
    const page = await stage.open(`/s/${site.id}/recordings?page=/lamps`, owner);
    await page.locator('tbody a').first().click();
    await expectVisible(screenOf(page).getByText('Catalogue'));
    await expectVisible(page.getByRole('button', { name: /Click #buy/ }));
    await seekBar(page).focus();
    await page.keyboard.press('End');
    await expectVisible(screenOf(page).getByText('Changed by a script'));
  });
});

const MARK = 'window.top.hacked = window.parent.hacked = 1';
/** Every way in which a page could run a script, navigate, or send a request. */
const HOSTILE: RecordedEvent[] = [
  ...pageAt(
    0,
    'https://shop.example/',
    element('h1', { onmouseover: MARK, onfocus: MARK, autofocus: true }, textNode('Hostile')),
    element('script', {}, textNode(MARK)),
    element('script', { src: '/cabinet/assets/hostile.js' }),
    element('img', { src: 'data:image/png,x', onerror: MARK }),
    element('iframe', { src: `javascript:${MARK}` }),
    element('iframe', { srcdoc: `<script>${MARK}</script>` }),
    element('a', { href: `javascript:${MARK}`, id: 'link' }, textNode('A link')),
    element('svg', { onload: MARK }),
    element('object', { data: '/cabinet/' }),
    element('embed', { src: '/cabinet/' }),
    element('base', { href: 'https://elsewhere.example/' }),
    element('meta', { 'http-equiv': 'refresh', content: '0;url=/cabinet/' }),
    element('form', { action: '/cabinet/api/logout', method: 'post' }, element('button', {}, textNode('Send'))),
  ),
  { type: 2, at: 100, data: null },
  { type: 2, at: 200, data: { node: { type: 2, childNodes: 7 }, initialOffset: null } },
  { type: 3, at: 300, data: { source: 0, adds: 'all', removes: [], texts: [], attributes: [] } },
  { type: 3, at: 400, data: { source: 4, width: 1e12, height: -5 } },
  { type: 99, at: 500, data: {} },
  told(600, 'svc-click', { selector: `<img src=x onerror="${MARK}">` }),
  { type: 4, at: 700, data: { href: `javascript:${MARK}`, width: 800, height: 600 } },
  { type: 3, at: 900, data: { source: 2, type: 2, id: 'nobody', x: {}, y: [] } },
  { type: 3, at: 1_000, data: { source: 1, positions: [{ x: 1, y: 1, id: 1, timeOffset: 0 }] } },
];

describe('a hostile recording', () => {
  it('does nothing, whatever it contains', async () => {
    // The policy blocks its requests, and the browser reports that.
    stage.allow(
      /Content Security Policy|sandboxed|violates|ERR_BLOCKED_BY_CSP|ERR_INVALID_URL|Blocked script|X-Frame|Failed to load/i,
    );
    const asked: string[] = [];
    const page = await play(HOSTILE);
    page.on('request', (request) => asked.push(request.url()));
    await expectVisible(page.getByRole('button', { name: 'Play', exact: true }));
    await seekBar(page).focus();
    for (const key of ['ArrowRight', 'Home']) await page.keyboard.press(key);
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    await expectVisible(page.getByRole('button', { name: 'Play', exact: true }));
    await expectVisible(page.getByText('<img src=x onerror='));
    const player = page.frames().find((frame) => frame.url().endsWith('/replay'));
    for (const place of [page, player]) expect(await place?.evaluate('window.hacked')).toBeUndefined();
    expect(new URL(page.url()).pathname).toMatch(/\/recordings\//);
    expect(asked.filter((url) => /logout|elsewhere|hostile\.js/.test(url))).toEqual([]);
    // The keyboard cannot reach any of it either.
    expect(await page.frameLocator('iframe').locator('.replayer-wrapper').getAttribute('inert')).toBe('');
  });
});

describe('the player of recordings', () => {
  it('ignores messages from other windows, and so does its page', async () => {
    const page = await play(shopSession());
    await expectVisible(screenOf(page).getByText('Lamps'));
    // Sends a message to the page from itself, and one to the player from a window that is not its parent.
    await page.evaluate(`postMessage({ type: 'failed' }, location.origin)`);
    const player = page.frames().find((frame) => frame.url().endsWith('/replay'));
    await player?.evaluate(`postMessage({ type: 'seek', at: 40_000 }, location.origin)`);
    await expectTrue(page, `document.querySelector('input[type=range]').value === '0'`);
    await seekBar(page).focus();
    await page.keyboard.press('End');
    await expectVisible(screenOf(page).getByText('Your cart'));
    expect(await page.getByText('cannot be played').count()).toBe(0);
  });

  it('plays in a document with its own policy', async () => {
    const answer = await fetch(`${stage.url}/replay`);
    const policy = answer.headers.get('content-security-policy') ?? '';
    for (const rule of ["script-src 'self'", "connect-src 'none'", "frame-ancestors 'self'", "frame-src 'none'"])
      expect(policy.split('; ')).toContain(rule);
  });
});

describe('the list', () => {
  it('is filtered by page, favourites and script errors, and the address has the page', async () => {
    const { pool } = stage.database;
    const filtered = await createRecordingSite(pool);
    const person = await createTestUser(pool, 'viewer', { sites: [filtered.id] });
    const api = { origin: stage.api.origin, pool };
    await record(api, filtered, shopSession());
    await record(api, filtered, pageAt(0, 'https://shop.example/other', textNode('Other')));
    const page = await stage.open(`/s/${filtered.id}/recordings`, person);
    await expectTrue(page, `document.querySelectorAll('tbody tr').length === 2`);
    await page.getByRole('searchbox').fill('/cart');
    await page.keyboard.press('Enter');
    await expectAddress(page, /page=%2Fcart/);
    await expectTrue(page, `document.querySelectorAll('tbody tr').length === 1`);
    await page.getByText('Favourites only').click();
    await expectVisible(page.getByText('No recordings match'));
    await page.getByRole('button', { name: 'Show all' }).click();
    await page.getByText('With script errors only').click();
    await expectTrue(page, `document.querySelectorAll('tbody tr').length === 1`);
  });

  it('says what to do if nothing is recorded', async () => {
    const { pool } = stage.database;
    const off = await createTestSite(pool);
    const person = await createTestUser(pool, 'owner', { sites: [off.id] });
    const page = await stage.open(`/s/${off.id}/recordings`, person);
    await expectVisible(page.getByText('Sessions are not recorded'));
    await page.getByRole('link', { name: 'Go to the settings of the site' }).click();
    await expectAddress(page, /\/settings$/);
  });
});
