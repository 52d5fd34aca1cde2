/** A browser, a site and a server that records what the tag sends. */
import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import type { Browser, BrowserContext, Page, Request } from 'playwright-core';
import { startBrowser } from '../../../support/programs/browser.ts';
import { eventually } from '../../../support/eventually.ts';
import { startCollector, type Collector } from './collector.ts';
import { snippet, startSite, type Site } from './site.ts';

export interface Stage {
  browser: Browser;
  site: Site;
  collector: Collector;
  /** The browser context of a new visitor for each test. */
  context: BrowserContext;
  /** Faults of pages, which the tag must not cause. */
  faults: string[];
  /** Opens a page on a path of the site, with the tag running. */
  open(path: string): Promise<Page>;
  /** Opens a page, and waits until its first batch has been answered: what is not yet answered may be sent again. */
  openAnswered(path: string): Promise<Page>;
}

/** Waits for something that happens in a browser, or because of it. */
export async function until<T>(ask: () => Promise<T> | T, what: string): Promise<NonNullable<T>> {
  return await eventually(ask, what);
}

/** Runs code in the page. The code is text because the tests are type-checked without the DOM. */
export async function inPage(page: Page, code: string): Promise<unknown> {
  return await page.evaluate(code);
}

/**
 * Code that makes pauses of one to ten seconds ten times shorter, before the page's own scripts see the timers: the tag
 * batches events for a second and recordings for five. Pings and limits, which are longer, are unchanged.
 */
const HURRY = `{
  const later = setTimeout;
  window.setTimeout = (work, ms, ...given) => later(work, ms >= 1000 && ms <= 10000 ? ms / 10 : ms, ...given);
}`;

/** @param isHurried for tests of what is sent, not of when */
export function stageTag({ isHurried = false } = {}): Stage {
  const stage = {} as Stage;
  beforeAll(async () => {
    stage.browser = await startBrowser();
    stage.collector = await startCollector();
    stage.site = await startSite(() => snippet(stage.collector.origin));
  });
  beforeEach(async () => {
    stage.faults = [];
    stage.context = await stage.browser.newContext({
      viewport: { width: 1000, height: 600 },
      locale: 'ru-RU',
      timezoneId: 'Europe/Moscow',
    });
    if (isHurried) await stage.context.addInitScript(HURRY);
    stage.context.on('weberror', (error) => stage.faults.push(String(error.error())));
    const visit = async (page: Page, path: string): Promise<void> => {
      await page.goto(stage.site.url(path));
      await page.waitForFunction('window.svc && window.svc.on');
    };
    stage.open = async (path) => {
      const page = await stage.context.newPage();
      await visit(page, path);
      return page;
    };
    stage.openAnswered = async (path) => {
      const page = await stage.context.newPage();
      const isBatch = (request: Request): boolean => request.url().endsWith('/collect');
      await Promise.all([page.waitForEvent('requestfinished', isBatch), visit(page, path)]);
      return page;
    };
  });
  afterEach(async () => {
    await stage.context.close();
    stage.collector.reset();
    stage.site.pages.clear();
  });
  afterAll(async () => {
    await stage.browser?.close();
    await stage.site?.close();
    await stage.collector?.close();
  });
  return stage;
}
