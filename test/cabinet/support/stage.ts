/** The cabinet in a browser, on a real API: any fault of a page, its scripts or its policy fails the test. */
import { afterAll, afterEach, beforeAll, beforeEach, expect } from '@jest/globals';
import type pg from 'pg';
import type {
  Browser,
  BrowserContext,
  BrowserContextOptions,
  ConsoleMessage,
  Locator,
  Page,
  Route,
} from 'playwright-core';
import { newSession } from '../../../api/auth/sessionCookie.ts';
import { insertSignInLink } from '../../../db/accounts/signInLinks.ts';
import { keyHash, newKey } from '../../../domain/accounts/keyFormats.ts';
import { freePort } from '../../../tools/scripts/engines/servers/freePort.ts';
import type { Person } from '../../api/support/people.ts';
import { startTestApi, type TestApi } from '../../api/support/testApi.ts';
import { startBrowser } from '../../support/programs/browser.ts';
import { eventually } from '../../support/eventually.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { openSiteReports, type SiteReports } from './siteReports.ts';

export interface Stage {
  database: TestDatabase;
  api: TestApi;
  browser: Browser;
  /** Only on a stage with reports. */
  reports: SiteReports;
  /** Base URL of the cabinet's pages, without a trailing slash. */
  url: string;
  /** Returns a URL that signs a person in. */
  signInUrl(person: Person): Promise<string>;
  /** Opens a page at a path of the cabinet. @param person signed in; the default is nobody */
  open(path: string, person?: Person | null, options?: BrowserContextOptions): Promise<Page>;
  /** Opens a blank page for several tests of the file, which close its context. */
  keepPage(person: Person | null, options?: BrowserContextOptions): Promise<Page>;
  /** Allows faults that a test causes itself. */
  allow(fault: RegExp): void;
}

/** Waits until an element is visible. */
export async function expectVisible(what: Locator): Promise<void> {
  await what.waitFor();
}

/** Waits until a page has reached a URL. */
export async function expectAddress(page: Page, address: string | RegExp): Promise<void> {
  await page.waitForURL(address);
}

/**
 * Holds back requests to a URL, as a slow connection does.
 * @returns a function that lets them, and all later ones, through
 */
export async function holdRequests(page: Page, url: string, method: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(url, async (route) => {
    if (route.request().method() === method) await promise;
    await route.continue();
  });
  return resolve;
}

/**
 * Answers requests to a URL by a function until the returned one is called, and lets all later requests through. Use it
 * instead of Playwright's `unroute` and `times`, which may stop all interception: scripts that a new page has just asked
 * for then sometimes never arrive.
 */
export async function answerRequests(
  page: Page,
  url: string | RegExp,
  answer: (route: Route) => unknown,
): Promise<() => void> {
  let isOver = false;
  await page.route(url, async (route) => void (await (isOver ? route.fallback() : answer(route))));
  return () => (isOver = true);
}

/** Answers the first request to a URL by a function, and lets all later ones through. */
export async function answerOnce(page: Page, url: string | RegExp, answer: (route: Route) => unknown): Promise<void> {
  let stop = (): void => undefined;
  stop = await answerRequests(page, url, (route) => {
    stop();
    return answer(route);
  });
}

/** Returns a function that waits until requests with a method have been answered, as many as given. */
export function countAnswers(page: Page, method: string): (wanted: number) => Promise<void> {
  let answers = 0;
  page.on('requestfinished', (request) => (answers += request.method() === method ? 1 : 0));
  return async (wanted) => void (await eventually(() => Promise.resolve(answers >= wanted || null), 'the answers'));
}

/**
 * Makes a page read its data anew, as it does when its tab comes to the front, and waits for the answer of an address.
 * Data that are only seconds old are not read again, so this repeats until the answer comes.
 */
export async function readAnew(page: Page, address: string): Promise<void> {
  let isRead = false;
  page.on('requestfinished', (request) => (isRead ||= request.url().endsWith(address)));
  await eventually(async () => {
    await page.evaluate(`window.dispatchEvent(new Event('visibilitychange'))`);
    return isRead || null;
  }, 'the answer');
  // The answer is shown in a later frame.
  await page.evaluate(`new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(shown)))`);
}

/** Opens the palette by its keys, and waits until its field takes what is typed. */
export async function openPalette(page: Page): Promise<void> {
  await expectVisible(page.locator('button[aria-keyshortcuts]'));
  await page.keyboard.press('Control+K');
  await expectVisible(page.getByRole('dialog').locator('input:focus'));
}

/** Waits until code in the page is true. The code is text because the tests are type-checked without the DOM. */
export async function expectTrue(page: Page, code: string): Promise<void> {
  await eventually(() => page.evaluate(`Boolean(${code})`).then((is) => is || null), code);
}

/**
 * Registers the hooks; call it before other hooks of the file.
 * @param hasReports whether hits are ingested and reports answered; without it reports get 503
 */
export function stageCabinet(env: Record<string, string> = {}, { hasReports = false } = {}): Stage {
  const stage = {} as Stage;
  let contexts: BrowserContext[] = [];
  let faults: string[] = [];
  let allowed: RegExp[] = [];
  beforeAll(async () => {
    stage.database = await createTestDatabase();
    const port = await freePort();
    const origin = `http://127.0.0.1:${port}`;
    if (hasReports) stage.reports = await openSiteReports(stage.database);
    stage.api = await startTestApi({
      databaseUrl: stage.database.url,
      port,
      env: { PUBLIC_URL: origin, ...env },
      reports: hasReports ? stage.reports.engines : null,
    });
    stage.url = `${origin}/cabinet`;
    stage.browser = await startBrowser();
  });
  beforeEach(async () => {
    [contexts, faults, allowed] = [[], [], []];
    // All tests share one address, whose login attempts would soon be used up.
    await stage.database.pool.query('delete from rate_buckets');
  });
  afterEach(async () => {
    await Promise.all(contexts.map((context) => context.close()));
    expect(faults.filter((fault) => !allowed.some((one) => one.test(fault)))).toEqual([]);
  });
  afterAll(async () => {
    await stage.browser?.close();
    await stage.api?.close();
    await stage.reports?.close();
    await stage.database?.drop();
  });
  stage.allow = (fault) => void allowed.push(fault);
  stage.signInUrl = async ({ id }) => {
    const secret = newKey('signInLink');
    await insertSignInLink(stage.database.pool, { hash: keyHash(secret), userId: id, manager: null });
    return `${stage.url}/sign-in#${secret}`;
  };
  stage.open = async (path, person = null, options = {}) => {
    const page = await newPage(person, options);
    contexts.push(page.context());
    await page.goto(stage.url + path);
    return page;
  };
  stage.keepPage = (person, options = {}) => newPage(person, options);
  return stage;

  async function newPage(person: Person | null, options: BrowserContextOptions): Promise<Page> {
    const context = await stage.browser.newContext({
      locale: 'en',
      viewport: { width: 1280, height: 900 },
      reducedMotion: 'reduce',
      ...options,
    });
    if (person !== null) await signIn(stage.database.pool, context, person);
    const page = await context.newPage();
    page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
    page.on('console', (message) => {
      if (!hasReports && isRefusedReport(message)) return;
      if (message.type() === 'error' || message.type() === 'warning') faults.push(message.text());
    });
    return page;
  }
}

/** Returns true for the message about a report that got 503; it may arrive after the end of its test. */
function isRefusedReport(message: ConsoleMessage): boolean {
  const isReport = /\/cabinet\/api\/sites\/\w+\/reports(\/batch)?$/.test(message.location().url);
  return isReport && message.text().includes('status of 503');
}

/** Opens a session for the context directly; signIn.test.ts tests the pages of the sign-in. */
async function signIn(pool: pg.Pool, context: BrowserContext, { id }: Person): Promise<void> {
  const { cookie, hash } = newSession(false);
  await pool.query('insert into sessions (hash, user_id) values ($1, $2)', [hash, id]);
  const [, name = '', value = ''] = /^([^=]+)=([^;]+)/.exec(cookie) ?? [];
  await context.addCookies([
    { name, value, domain: '127.0.0.1', path: '/cabinet', httpOnly: true, sameSite: 'Strict' },
  ]);
}
