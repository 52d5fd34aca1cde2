/** A viewer's controls never lead to a refusal: a control without permission is disabled, and the page says why. */
import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { Person } from '../../api/support/people.ts';
import type { KnownPage } from './everyPage.ts';
import { watchQuestions } from './questions.ts';
import { ROUTES } from './routes.ts';
import { expectTrue, expectVisible, type Stage } from './stage.ts';

/** The parts of the cabinet whose pages are walked through together. */
type Part = 'sites' | 'installation' | 'others';

interface Walk {
  pages: readonly KnownPage[];
  viewer: () => Person;
  /** Every route of this part has to be among the pages. */
  part: Part;
}

const CONTROLS = 'main button:enabled, main [role=button]:not([aria-disabled=true])';
const CHOICES = '[role=menuitem]:not([aria-disabled=true])';
const FLOATING = '[role=dialog], [role=menu], [role=listbox]';
/** Code that is true if the page does not explain a disabled button. A search button only waits for text. */
const IS_UNEXPLAINED = `[...document.querySelectorAll('main button:disabled')].some((button) => button.textContent !== 'Find')
  && !/(owners and administrators|only administrators) can/i.test(document.querySelector('main').innerText)`;
const SUBMITS = '[role=dialog] button:enabled';
/** Maximum number of controls that are pressed; rows of a list have the same ones. */
const MOST = 60;

export function describeControls(stage: Stage, { pages, viewer, part }: Walk): void {
  describe('a viewer', () => {
    it('is told on each page why controls are disabled, and is never refused when pressing the others', async () => {
      // 401 follows when the viewer's own session was ended.
      stage.allow(/status of (401|404|409|422|429|503)/);
      const refused: string[] = [];
      const page = await stage.open('/account', viewer());
      page.on('response', (answer) => {
        if (answer.status() === 403) refused.push(`${answer.request().method()} ${answer.url()}, on ${page.url()}`);
      });
      const untilAnswered = watchQuestions(page);
      for (const { path, person } of pages) {
        if (person() === null) continue;
        await pressAll(page, stage.url + path(), untilAnswered);
        if (page.url().includes('/sign-in')) await signInAgain(page);
      }
      expect(refused).toEqual([]);

      // The viewer's own session was ended.
      async function signInAgain(page: Page): Promise<void> {
        await page.goto(await stage.signInUrl(viewer()));
        await page.waitForURL(`${stage.url}/`);
      }
    });

    it('meets every page there is', () => {
      const paths = pages.map(({ path }) => path().split(/[?#]/)[0] ?? '');
      const missing = ROUTES.filter(
        (route) => partOf(route) === part && !paths.some((path) => patternOf(route).test(path)),
      );
      expect(missing).toEqual([]);
    });
  });
}

function partOf(route: string): Part {
  if (route.startsWith('/s/')) return 'sites';
  return route.startsWith('/installation') ? 'installation' : 'others';
}

const patternOf = (route: string): RegExp => new RegExp(`^${route.replaceAll(/\$\w+/g, '[^/]+')}$`);

async function pressAll(page: Page, address: string, untilAnswered: () => Promise<void>): Promise<void> {
  await page.goto(address);
  await expectVisible(page.locator('main h1').first());
  await page.getByText('Loading', { exact: true }).first().waitFor({ state: 'detached' });
  await untilAnswered();
  await expectTrue(page, `!(${IS_UNEXPLAINED})`);
  for (let index = 0; index < MOST; index++) {
    if (!(await press(page, CONTROLS, index))) break;
    await pressChoices(page, index);
    await closeAll(page);
    if (page.url().includes('/sign-in')) return;
    // Some controls navigate away.
    if (page.url().split('?')[0] !== address.split('?')[0]) await page.goto(address);
  }
  await untilAnswered();
}

/** Presses the choices of the menu that a control has opened; each choice closes it. */
async function pressChoices(page: Page, control: number): Promise<void> {
  const choices = await page.locator(CHOICES).count();
  for (let index = 0; index < choices; index++) {
    await press(page, CHOICES, index);
    await closeAll(page);
    await press(page, CONTROLS, control);
  }
}

/** Submits and closes open dialogs; the result of one, perhaps a secret, has a separate button. */
async function closeAll(page: Page): Promise<void> {
  const floating = page.locator(FLOATING).first();
  if ((await floating.count()) === 0) return;
  await press(page, SUBMITS, 0);
  for (let tries = 0; tries < 5 && (await floating.count()) > 0; tries++) {
    await page.keyboard.press('Escape');
    if ((await floating.count()) > 0 && tries > 0) await press(page, SUBMITS, -1);
  }
}

/**
 * Presses an element that exists at this moment, even if another one covers it. In a document that is just being
 * replaced, as after signing out, it presses the element of the next one.
 * @param index from the end when it is negative
 * @returns false when there is no such element
 */
async function press(page: Page, selector: string, index: number): Promise<boolean> {
  const code = `{
    const pressed = [...document.querySelectorAll(${JSON.stringify(selector)})].at(${index});
    pressed?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, composed: true }));
    pressed !== undefined;
  }`;
  try {
    return await page.evaluate(code);
  } catch (error) {
    if (!String(error).includes('Execution context was destroyed')) throw error;
    await page.waitForLoadState();
    return press(page, selector, index);
  }
}
