/**
 * `npm run cabinet:speed`: measures the main pages in a real browser, on the stack that `npm start --
 * --sample-traffic` runs.
 */
import { resolve } from 'node:path';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { findBrowser } from '../support/programs/chromium.ts';
import { readDescription, type DevDescription } from '../../tools/scripts/dev/settings/devFiles.ts';
import { makeSignInUrl } from '../../tools/scripts/dev/signIn.ts';

/** Other work on the machine only makes a page slower, so the best run is the most accurate. */
const RUNS = 5;
/** Minimum duration of a reported interaction; 16 ms is the least that browsers allow. */
const MIN_INTERACTION_MS = 16;
const TEN_MBIT = (10 * 1_000_000) / 8;

interface Speed {
  name: string;
  cpuRate: number;
  bytesPerSecond: number;
  latencyMs: number;
}

interface MainPage {
  name: string;
  path: (stack: DevDescription) => string;
  /** The control that is pressed, to measure how long the page takes to respond. */
  press: string;
}

interface Figures {
  lcp: number;
  inp: number;
  cls: number;
}

const SPEEDS: readonly Speed[] = [
  { name: 'full speed', cpuRate: 1, bytesPerSecond: -1, latencyMs: 0 },
  { name: 'CPU / 4, 10 Mbit/s, 20 ms', cpuRate: 4, bytesPerSecond: TEN_MBIT, latencyMs: 20 },
];

const JUMP = 'header button:has-text("Ctrl")';
const CHOICE = 'main button[aria-haspopup=listbox]';

const PAGES: readonly MainPage[] = [
  { name: 'home', path: () => '/', press: JUMP },
  { name: 'items', path: ({ project }) => `/p/${project.id}/items`, press: CHOICE },
  { name: 'item', path: ({ project }) => `/p/${project.id}/items/tram-lesson`, press: 'main button[aria-haspopup]' },
  { name: 'add an item', path: ({ project }) => `/p/${project.id}/add-item`, press: CHOICE },
  { name: 'pipeline', path: ({ project }) => `/p/${project.id}/pipeline`, press: JUMP },
  { name: 'webhooks', path: ({ project }) => `/p/${project.id}/webhooks`, press: JUMP },
  { name: 'settings', path: ({ project }) => `/p/${project.id}/settings`, press: CHOICE },
  { name: 'overview of a site', path: ({ site }) => `/s/${site.id}?period=7d`, press: CHOICE },
  { name: 'report', path: ({ site }) => `/s/${site.id}/report`, press: CHOICE },
  { name: 'goals', path: ({ site }) => `/s/${site.id}/goals`, press: JUMP },
  { name: 'recordings', path: ({ site }) => `/s/${site.id}/recordings`, press: CHOICE },
];

/** Code that runs in the page before anything else. Interactions count from the press to the next frame, as in INP. */
const OBSERVE = `
  window.seen = { lcp: 0, inp: 0, cls: 0 };
  const observe = (type, take, options) => new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true, ...options });
  observe('largest-contentful-paint', (entry) => { seen.lcp = entry.startTime; });
  observe('layout-shift', (entry) => { if (!entry.hadRecentInput) seen.cls += entry.value; });
  observe('event', (entry) => { if (entry.interactionId) seen.inp = Math.max(seen.inp, entry.duration); }, { durationThreshold: ${MIN_INTERACTION_MS} });
`;

/** @throws {Error} when no stack runs on the data folder */
async function measurePages(dataDir: string): Promise<string[]> {
  const stack = await readDescription(resolve(dataDir));
  if (stack === null) throw new Error(`no stack runs on ${dataDir}: run npm start first`);
  const { path, env } = await findBrowser();
  const browser = await chromium.launch({
    executablePath: path,
    env: { ...definedOf(process.env), ...env },
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
  });
  try {
    const lines: string[] = [];
    for (const speed of SPEEDS) lines.push(...(await measureAt(browser, stack, speed)));
    return lines;
  } finally {
    await browser.close();
  }
}

async function measureAt(browser: Browser, stack: DevDescription, speed: Speed): Promise<string[]> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en' });
  await context.addInitScript(OBSERVE);
  const page = await signIn(context, stack);
  const lines = [`\n${speed.name}, best of ${RUNS}\n`, '| page | LCP | INP | CLS |', '|---|---:|---:|---:|'];
  for (const main of PAGES) {
    const runs: Figures[] = [];
    for (let run = 0; run < RUNS; run++) runs.push(await measure(context, stack, main, speed));
    const best = (figure: keyof Figures): number => Math.min(...runs.map((figures) => figures[figure]));
    lines.push(
      `| ${main.name} | ${Math.round(best('lcp'))} ms | ${Math.round(best('inp'))} ms | ${best('cls').toFixed(3)} |`,
    );
  }
  lines.push(`\nfrom the items to the webhooks and back, both seen before: ${await changePage(page, stack, speed)} ms`);
  await context.close();
  return lines;
}

async function signIn(context: BrowserContext, stack: DevDescription): Promise<Page> {
  const page = await context.newPage();
  const url = await makeSignInUrl(stack.database_url, new URL(stack.cabinet_url).origin);
  if (url === null) throw new Error('the local administrator is blocked');
  await page.goto(url);
  await page.waitForURL(`${stack.cabinet_url}/`);
  return page;
}

async function slowDown(page: Page, { cpuRate, bytesPerSecond, latencyMs }: Speed): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: cpuRate });
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: latencyMs,
    downloadThroughput: bytesPerSecond,
    uploadThroughput: bytesPerSecond,
  });
}

async function measure(
  context: BrowserContext,
  stack: DevDescription,
  { path, press }: MainPage,
  speed: Speed,
): Promise<Figures> {
  const page = await context.newPage();
  await slowDown(page, speed);
  await page.goto(stack.cabinet_url + path(stack), { waitUntil: 'networkidle' });
  await page.locator('main h1').first().waitFor();
  await page.locator(press).first().click();
  await page.keyboard.press('Escape');
  await nextFrames(page);
  const figures = (await page.evaluate('seen')) as Figures;
  await page.close();
  return figures;
}

/** Returns the time from the press of a link to the title of the next page, by the page's clock. */
async function changePage(page: Page, stack: DevDescription, speed: Speed): Promise<number> {
  await slowDown(page, speed);
  await page.goto(`${stack.cabinet_url}/p/${stack.project.id}/items`, { waitUntil: 'networkidle' });
  const times: number[] = [];
  for (let change = 0; change < 2 + RUNS * 2; change++) {
    const name = change % 2 === 0 ? 'Webhooks' : 'Items';
    const took = (await page.evaluate(`new Promise((resolve) => {
      const start = performance.now();
      const look = () => document.querySelector('main h1')?.textContent === '${name}' ? resolve(performance.now() - start) : requestAnimationFrame(look);
      [...document.querySelectorAll('header nav a')].find((link) => link.textContent === '${name}').click();
      requestAnimationFrame(look);
    })`)) as number;
    // The first two fill the cache.
    if (change >= 2) times.push(took);
    await page.waitForLoadState('networkidle');
  }
  return Math.round(Math.min(...times));
}

/** Paints are reported after the next frame. */
async function nextFrames(page: Page): Promise<void> {
  await page.evaluate(
    'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 100))))',
  );
}

function definedOf(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined));
}

console.log((await measurePages(process.env['ATTUNE_DATA_DIR']?.trim() || 'data')).join('\n'));
