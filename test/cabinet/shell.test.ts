/** The frame around all pages: the palette, links between project and site, preferences, a deployment and an outage. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { createTestUser, type Person } from '../api/support/people.ts';
import { createTestProject } from '../api/support/testApi.ts';
import { createTestSite } from '../api/support/testSite.ts';
import { eventually } from '../support/eventually.ts';
import { Analyst } from '../support/items/items.ts';
import { textItem } from '../support/project.ts';
import { violationsOf } from './support/axe.ts';
import { watchQuestions } from './support/questions.ts';
import {
  answerOnce,
  answerRequests,
  countAnswers,
  expectAddress,
  expectTrue,
  expectVisible,
  holdRequests,
  openPalette,
  stageCabinet,
} from './support/stage.ts';

const stage = stageCabinet();
let project: string;
let site: string;
let owner: Person;

beforeAll(async () => {
  const { pool } = stage.database;
  [project, site] = [(await createTestProject(pool)).id, (await createTestSite(pool)).id];
  await pool.query(`update projects set title = 'Tram museum' where id = $1`, [project]);
  await pool.query(`update sites set title = 'Museum shop' where id = $1`, [site]);
  await new Analyst(pool, project).put('lesson-42', textItem({ title: 'How a tram moves' }));
  owner = await newOwner();
});

/** Tests that choose a language or a theme have an owner of their own, since a choice may be stored after the test. */
const newOwner = (): Promise<Person> =>
  createTestUser(stage.database.pool, 'owner', { projects: [project], sites: [site] });

async function jump(page: Page, text: string, result: string | RegExp): Promise<void> {
  await openPalette(page);
  await page.keyboard.type(text);
  // Typing selects the first result.
  await expectVisible(page.getByRole('menuitem', { name: result }).and(page.locator('[data-focused]')));
  await page.keyboard.press('Enter');
}

describe('the palette', () => {
  it('jumps to a page, a site and an item with only the keyboard', async () => {
    const page = await stage.open('/', owner);
    await expectVisible(page.getByRole('heading', { name: 'Tram museum' }));
    await jump(page, 'tram webh', /Webhooks/);
    await expectAddress(page, `${stage.url}/p/${project}/webhooks`);
    await jump(page, 'lesson-42', /How a tram moves/);
    await expectAddress(page, `${stage.url}/p/${project}/items/lesson-42`);
    await jump(page, 'shop', /Museum shop · Overview/);
    await expectAddress(page, new RegExp(`/s/${site}`));
  });

  it('drops an item that no longer matches before the new text is searched for', async () => {
    const page = await stage.open(`/p/${project}/items`, owner);
    await openPalette(page);
    await page.keyboard.type('tram');
    const item = page.getByRole('menuitem', { name: /How a tram moves/ });
    await expectVisible(item);
    // A new text is searched for when nobody has typed for a while; that time does not pass here.
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    await page.keyboard.type(' m');
    await expectVisible(item);
    await page.keyboard.type(' webh');
    await item.waitFor({ state: 'detached' });
    await expectVisible(page.getByRole('menuitem', { name: /Webhooks/ }));
  });

  it('is accessible, says when nothing is found, and closes', async () => {
    const page = await stage.open('/account', owner);
    const button = page.getByRole('button', { name: /Jump to…/ });
    await button.click();
    await expectVisible(page.getByRole('menuitem').first());
    expect(await violationsOf(page)).toEqual([]);
    await page.keyboard.type('zzzz');
    await expectVisible(page.getByText('Nothing found'));
    // The first Escape clears the field.
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expectTrue(page, `document.activeElement?.textContent?.startsWith('Jump to…')`);
  });
});

it('a link leads from a project to its site and back', async () => {
  const page = await stage.open(`/p/${project}/settings`, owner);
  await page.getByRole('button', { name: /Site/ }).last().click();
  await page.getByRole('option', { name: 'Museum shop' }).click();
  await page.getByRole('link', { name: 'Its site: Museum shop' }).click();
  await expectAddress(page, new RegExp(`/s/${site}`));
  await page.getByRole('link', { name: 'Its project: Tram museum' }).click();
  await expectAddress(page, `${stage.url}/p/${project}/items`);
});

it('language and theme follow the user to another browser', async () => {
  const chooser = await newOwner();
  const first = await stage.open('/account', chooser);
  const stored = countAnswers(first, 'PATCH');
  await first.getByRole('button', { name: /Theme/ }).click();
  await first.getByRole('option', { name: 'Dark' }).click();
  await expectTrue(first, `document.documentElement.style.colorScheme === 'dark'`);
  await first.getByRole('button', { name: /Language/ }).click();
  await first.getByRole('option', { name: 'Русский' }).click();
  await expectVisible(first.getByRole('heading', { name: 'Вы', exact: true }));
  await stored(2);
  const second = await stage.open('/account', chooser, { locale: 'en' });
  await expectTrue(second, `document.documentElement.lang === 'ru'`);
  await expectTrue(second, `document.documentElement.style.colorScheme === 'dark'`);
});

it('the last of two choices in a row stays, however slow the first one is', async () => {
  const chooser = await newOwner();
  const page = await stage.open('/account', chooser);
  const answered = countAnswers(page, 'PATCH');
  const theme = async (name: string): Promise<void> => {
    await page.getByRole('button', { name: /Theme/ }).click();
    await page.getByRole('option', { name }).click();
  };
  const { promise, resolve } = Promise.withResolvers<void>();
  await answerOnce(page, '**/preferences', async (route) => {
    await promise;
    await route.continue();
  });
  await theme('Dark');
  await theme('Light');
  await expectTrue(page, `document.documentElement.style.colorScheme === 'light'`);
  resolve();
  await answered(2);
  await page.reload();
  await expectVisible(page.getByRole('heading', { name: 'You', exact: true }));
  await expectTrue(page, `document.documentElement.style.colorScheme === 'light'`);
  const { rows } = await stage.database.pool.query('select theme from users where id = $1', [chooser.id]);
  expect(rows).toEqual([{ theme: 'light' }]);
});

it('another page may be opened while a language is being loaded', async () => {
  const page = await stage.open('/account', await newOwner());
  await expectVisible(page.getByRole('heading', { name: 'You', exact: true }));
  const release = await holdRequests(page, '**/assets/{entry,installation}Area-*.js', 'GET');
  await page.getByRole('button', { name: /Language/ }).click();
  await page.getByRole('option', { name: 'Русский' }).click();
  await jump(page, 'tram webh', /Webhooks/);
  release();
  await expectVisible(page.getByRole('heading', { name: 'Вебхуки', exact: true }));
});

it('a failed sign-out on all devices is shown, because the session goes on, and can be tried again', async () => {
  stage.allow(/503/);
  const page = await stage.open('/account', owner);
  const stop = await answerRequests(page, '**/logout-everywhere', (route) =>
    route.fulfill({ status: 503, json: { error: { code: 'unavailable', message: 'x' } } }),
  );
  await page.getByRole('button', { name: 'Account' }).click();
  await page.getByRole('menuitem', { name: 'Sign out on all devices' }).click();
  await expectVisible(page.getByRole('alert').getByText('The service is not available at the moment.'));
  stop();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expectAddress(page, `${stage.url}/sign-in`);
});

describe('the cabinet after a deployment', () => {
  it('reloads the page once if the script of another page is gone', async () => {
    stage.allow(/404|dynamically imported/);
    const page = await stage.open('/account', owner);
    await expectVisible(page.getByRole('heading', { name: 'You', exact: true }));
    let loads = 0;
    page.on('load', () => (loads += 1));
    const stop = await answerRequests(page, /assets\/WebhooksPage-.*\.js$/, (route) => route.fulfill({ status: 404 }));
    await jump(page, 'tram webh', /Webhooks/);
    // The second failure is not a deployment: the page reports it and does not reload again and again.
    await expectVisible(page.getByRole('alert'));
    await page.waitForLoadState('load');
    expect(loads).toBe(1);
    stop();
    await page.reload();
    await expectVisible(page.getByText('No webhooks yet'));
  });

  it('reloads the page once if a part of the shell is gone', async () => {
    stage.allow(/404|dynamically imported/);
    const page = await stage.open('/account', owner);
    await expectVisible(page.getByRole('heading', { name: 'You', exact: true }));
    let loads = 0;
    page.on('load', () => (loads += 1));
    await page.route(/assets\/Palette-.*\.js$/, (route) => route.fulfill({ status: 404 }));
    const loaded = page.waitForEvent('load');
    await page.keyboard.press('Control+K');
    await loaded;
    await expectVisible(page.getByRole('heading', { name: 'You', exact: true }));
    expect(loads).toBe(1);
  });
});

describe('a page that lacks a part after a deployment', () => {
  it.each([
    ['settings', 'New event type', /EventTypeDialog/],
    ['settings', 'New property', /PropertyDialog/],
  ])('is reloaded once: %s, %s', async (path, name, chunk) => {
    stage.allow(/404|dynamically imported/);
    const page = await stage.open(`/p/${project}/${path}`, owner);
    const button = page.getByRole('button', { name });
    await expectVisible(button);
    await answerOnce(page, chunk, (route) => route.fulfill({ status: 404 }));
    const loaded = page.waitForEvent('load');
    await button.click();
    await loaded;
    await button.click();
    await expectVisible(page.getByRole('dialog', { name }));
  });

  it('is reloaded in the chosen language if the part is the words of that language', async () => {
    stage.allow(/404|dynamically imported/);
    const page = await stage.open('/account', await newOwner());
    await page.getByRole('button', { name: /Language/ }).click();
    await answerOnce(page, /assets\/entryArea-.*\.js$/, (route) => route.fulfill({ status: 404 }));
    await page.getByRole('option', { name: 'Русский' }).click();
    await expectVisible(page.getByRole('heading', { name: 'Вы', exact: true }));
  });
});

describe('a page while PostgreSQL is unavailable', () => {
  it('says so, keeps its contents, and recovers when another try succeeds', async () => {
    stage.allow(/503/);
    const page = await stage.open(`/p/${project}/items`, owner);
    const row = page.getByRole('link', { name: 'How a tram moves' });
    await expectVisible(row);
    // The API's answer in that case: test/api/databaseDown.test.ts.
    const stop = await answerRequests(page, '**/cabinet/api/**', (route) =>
      route.fulfill({
        status: 503,
        headers: { 'retry-after': '1' },
        json: { error: { code: 'unavailable', message: 'x' } },
      }),
    );
    await stage.database.pool.query(`update items set status = 'processing' where project_id = $1`, [project]);
    await page.evaluate(`window.dispatchEvent(new Event('visibilitychange'))`);
    await expectVisible(page.getByRole('alert').getByText('The service is not available at the moment.'));
    await expectVisible(row);
    stop();
    await page.getByRole('button', { name: 'Try again' }).first().click();
    await page.getByRole('alert').waitFor({ state: 'detached' });
  });
});

describe('a page that stays open', () => {
  interface Open {
    page: Page;
    untilAnswered: () => Promise<void>;
  }
  /** Makes the page list its requests. It sends them only while its clock is advanced, which `pass` does. */
  const ASKED = `{
    const { fetch } = window;
    window.asked = [];
    window.fetch = (request, init) => {
      window.asked.push(new URL(request.url ?? request, location.href).pathname);
      return fetch(request, init);
    };
  }`;
  const open = async (path: string): Promise<Open> => {
    const page = await stage.open('/account', owner);
    const untilAnswered = watchQuestions(page);
    await page.clock.install();
    await page.addInitScript(ASKED);
    await page.goto(stage.url + path);
    await expectVisible(page.locator('main h1'));
    await page.clock.pauseAt(Date.now() + 60_000);
    return { page, untilAnswered };
  };
  /** Advances the page's clock. @returns how often it has asked for an address meanwhile, or for any */
  const pass = async ({ page, untilAnswered }: Open, ms: number, address = ''): Promise<number> => {
    await page.evaluate('window.asked.length = 0');
    await page.clock.runFor(ms);
    const asked = (await page.evaluate('window.asked')) as string[];
    await untilAnswered();
    return asked.filter((path) => path.endsWith(address)).length;
  };
  const show = ({ page }: Open, state: 'hidden' | 'visible'): Promise<unknown> =>
    page.evaluate(`{
      Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    }`);

  it.each([
    ['an unfinished item', 'items/lesson-42', '/items/lesson-42', 1_500],
    ['the latest events', 'events', '/events/latest', 5_000],
  ])('reads %s again at a fixed interval, and nothing in a hidden tab', async (_what, path, address, interval) => {
    const page = await open(`/p/${project}/${path}`);
    // Starts right after a reading, so that it is known how much of the interval has passed.
    await eventually(async () => (await pass(page, 100, address)) > 0 || null, 'a reading');
    for (let reading = 0; reading < 3; reading++) {
      expect(await pass(page, interval - 200, address)).toBe(0);
      expect(await pass(page, 200, address)).toBe(1);
    }
    await show(page, 'hidden');
    expect(await pass(page, 120_000)).toBe(0);
    await show(page, 'visible');
    expect(await pass(page, interval, address)).toBeGreaterThan(0);
  });
});

describe('a session that ends while a page is open', () => {
  it('hides the page, and shows a link for signing in again in another tab', async () => {
    stage.allow(/401/);
    const page = await stage.open(`/p/${project}/items`, owner);
    await expectVisible(page.getByRole('link', { name: 'How a tram moves' }));
    await page.context().clearCookies();
    await page.getByRole('link', { name: 'Webhooks' }).click();
    const alert = page.getByRole('alert').first();
    await expectVisible(alert.getByText('You are no longer signed in.'));
    await page.locator('main h1', { hasText: 'Webhooks' }).waitFor({ state: 'hidden' });
    expect(await violationsOf(page)).toEqual([]);
    const [other] = await Promise.all([
      page.waitForEvent('popup'),
      alert.getByRole('link', { name: 'Sign in again in a new tab' }).click(),
    ]);
    await expectAddress(other, `${stage.url}/sign-in?next=${encodeURIComponent(`/p/${project}/webhooks`)}`);
    await expectVisible(other.getByLabel('Password'));
  });
});
