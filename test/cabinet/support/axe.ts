/** Accessibility of a page as far as a program can check it: axe-core, WCAG 2.2 AA. */
import { createRequire } from 'node:module';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';

interface Violation {
  id: string;
  nodes: { target: string[]; failureSummary?: string }[];
}

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** The rules that a theme can break, since it changes only colours. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];
/** By default axe fetches every style sheet too, for a rule that is experimental and therefore not run. */
const PRELOAD = { assets: ['media'] };
/** Where the library announces a pressed button to screen readers for a few seconds, even if it is gone by then. */
const ANNOUNCER = '[data-live-announcer]';
let source: Promise<string> | undefined;

/** Returns axe's violations in words; an empty list is the goal. */
export function violationsOf(page: Page): Promise<string[]> {
  return run(page, { type: 'tag', values: TAGS });
}

/** Returns axe's violations of the colour rules only. */
export function colourViolationsOf(page: Page): Promise<string[]> {
  return run(page, { type: 'rule', values: COLOUR_RULES });
}

async function run(page: Page, runOnly: { type: 'tag' | 'rule'; values: string[] }): Promise<string[]> {
  if (!(await page.evaluate('Boolean(window.axe)'))) {
    source ??= readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
    // Uses the debugger, because the policy of the page blocks other scripts.
    await page.evaluate(await source);
  }
  const options = { runOnly, resultTypes: ['violations'], preload: PRELOAD };
  const call = `axe.run({ exclude: [${JSON.stringify(ANNOUNCER)}] }, ${JSON.stringify(options)})`;
  const { violations } = (await page.evaluate(call)) as { violations: Violation[] };
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary = '' }) => `${id}: ${target.join(' ')} ${failureSummary}`),
  );
}
