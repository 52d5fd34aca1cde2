/** Requirements for every page: it is accessible in every language and theme, and on a small screen. */
import { afterAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { LANGUAGE_CODES } from '../../../cabinet/src/words/load.ts';
import type { Person } from '../../api/support/people.ts';
import { colourViolationsOf, violationsOf } from './axe.ts';
import { watchQuestions } from './questions.ts';
import { expectTrue, expectVisible, type Stage } from './stage.ts';

export interface KnownPage {
  /** Used in the title of its tests. */
  name: string;
  /** Returns its URL, once the stage is set up. */
  path: () => string;
  /** A selector of an element that exists once the page has loaded. */
  sign: string;
  /** Returns the viewer; null if nobody is signed in. */
  person: () => Person | null;
}

interface Window {
  page: Page;
  untilAnswered: () => Promise<void>;
}

const watched = (page: Page): Window => ({ page, untilAnswered: watchQuestions(page) });

const WIDE = { width: 1280, height: 900 };
const SMALL = { width: 390, height: 844 };

/** Opens a page and waits for its content. */
export async function openKnown(stage: Stage, { path, sign, person }: KnownPage): Promise<Page> {
  const page = await stage.open(path(), person());
  await expectVisible(page.locator(sign).first());
  return page;
}

/**
 * Defines the tests of each page. axe checks it in English on a wide screen in both themes, and in the other
 * languages, whose words are longer, in the dark theme at 390 pixels. There nothing may scroll sideways in any
 * language. A language changes only words and a theme only colours, so not every combination is checked.
 */
export function describePages(stage: Stage, pages: readonly KnownPage[]): void {
  describe('every page', () => {
    /** The open pages, by language and person. */
    const windows = new Map<string, Window>();
    afterAll(() => Promise.all([...windows.values()].map(({ page }) => page.context().close())));

    async function show({ path, sign, person }: KnownPage, locale: string): Promise<Page> {
      const who = person();
      const key = `${locale} ${who?.id}`;
      const known = windows.get(key);
      const { page, untilAnswered } = known ?? watched(await stage.keepPage(who, { locale }));
      windows.set(key, { page, untilAnswered });
      await page.emulateMedia({ colorScheme: 'light' });
      await page.setViewportSize(WIDE);
      if (known && who) await leadTo(page, path());
      else await page.goto(stage.url + path());
      await expectVisible(page.locator(sign).first());
      // A user's concurrent reports are limited, and those of the previous page count until they are answered.
      await untilAnswered();
      return page;
    }

    it.each(pages.map((known) => [known.name, known] as const))(
      '%s: is accessible in every language and theme, and fits a screen of 390 pixels',
      async (_name, known) => {
        const english = await show(known, 'en');
        expect(await english.evaluate('document.documentElement.lang')).toBe('en');
        expect(await violationsOf(english)).toEqual([]);
        await english.emulateMedia({ colorScheme: 'dark' });
        expect(await colourViolationsOf(english)).toEqual([]);
        await expectToFit(english);

        for (const language of LANGUAGE_CODES.filter((code) => code !== 'en')) {
          const page = await show(known, language);
          expect(await page.evaluate('document.documentElement.lang')).toBe(language);
          await page.emulateMedia({ colorScheme: 'dark' });
          await expectToFit(page);
          expect(await violationsOf(page)).toEqual([]);
        }
      },
    );
  });
}

async function expectToFit(page: Page): Promise<void> {
  await page.setViewportSize(SMALL);
  // Charts follow a moment later.
  await expectTrue(page, `document.documentElement.scrollWidth <= ${SMALL.width}`);
}

/**
 * Navigates as a link does, since reloading the app takes longer than all checks. It passes through a page that
 * does not exist, so that no element of the previous page is mistaken for the next one's. The walk of a viewer
 * opens every page by its URL.
 */
async function leadTo(page: Page, path: string): Promise<void> {
  await page.evaluate(`history.pushState({}, '', '/cabinet/nowhere')`);
  await expectTrue(page, `document.querySelector('#content') === null`);
  await page.evaluate(`history.pushState({}, '', ${JSON.stringify(`/cabinet${path}`)})`);
}
