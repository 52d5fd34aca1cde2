/**
 * `npm run cabinet:pictures`: renews the pictures of README.md and docs/cabinet.md in a real browser, on the stack
 * that `npm start -- --sample-traffic` runs.
 */
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { chromium, type Browser } from 'playwright-core';
import sharp from 'sharp';
import { definedOf, findBrowser } from '../support/programs/chromium.ts';
import { readDescription, type DevDescription } from '../../tools/scripts/dev/settings/devFiles.ts';
import { makeSignInUrl } from '../../tools/scripts/dev/signIn.ts';

const FOLDER = join(import.meta.dirname, '../../docs/pictures');
const SIZE = { width: 1280, height: 800 };
/** Width of the picture: half of the drawn pixels, so that text is sharp on any screen. */
const WIDTH = 1280;
const FADE_MS = 1_500;

interface Picture {
  name: string;
  /** Path below the cabinet's URL. */
  path: (stack: DevDescription) => string;
  /** An element that exists once the page is complete. */
  sign: string;
}

const PICTURES: readonly Picture[] = [
  { name: 'home', path: () => '/', sign: 'article a' },
  { name: 'overview', path: ({ site }) => `/s/${site.id}?period=7d`, sign: 'main section + section li' },
  { name: 'item', path: ({ project }) => `/p/${project.id}/items/tram-lesson`, sign: 'video' },
];

/** @throws {Error} when no stack runs on the data folder */
async function takePictures(dataDir: string): Promise<string[]> {
  const stack = await readDescription(resolve(dataDir));
  if (stack === null) throw new Error(`no stack runs on ${dataDir}: run npm start first`);
  await mkdir(FOLDER, { recursive: true });
  const { path, env } = await findBrowser();
  const browser = await chromium.launch({
    executablePath: path,
    env: { ...definedOf(process.env), ...env },
    args: ['--no-sandbox', '--disable-gpu'],
  });
  try {
    const taken: string[] = [];
    for (const theme of ['light', 'dark'] as const) taken.push(...(await takeIn(browser, stack, theme)));
    return taken;
  } finally {
    await browser.close();
  }
}

async function takeIn(browser: Browser, stack: DevDescription, theme: 'light' | 'dark'): Promise<string[]> {
  const context = await browser.newContext({
    viewport: SIZE,
    deviceScaleFactor: 2,
    colorScheme: theme,
    locale: 'en',
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  const { origin } = new URL(stack.cabinet_url);
  const url = await makeSignInUrl(stack.database_url, origin);
  if (url === null) throw new Error('the local administrator is blocked');
  await page.goto(url);
  await page.waitForURL(`${stack.cabinet_url}/`);
  const taken: string[] = [];
  for (const { name, path, sign } of PICTURES) {
    await page.goto(stack.cabinet_url + path(stack), { waitUntil: 'networkidle' });
    await page.locator(sign).first().waitFor();
    // Until then the player shows a spinner, which fades out.
    await page.waitForFunction(
      `[...document.querySelectorAll('video')].every((video) => video.readyState === 4 && video.networkState === 1)`,
    );
    await page.waitForTimeout(FADE_MS);
    const file = `${name}-${theme}.webp`;
    await sharp(await page.screenshot())
      .resize({ width: WIDTH })
      .webp({ quality: 82, effort: 6 })
      .toFile(join(FOLDER, file));
    taken.push(file);
  }
  await context.close();
  return taken;
}

const taken = await takePictures(process.env['ATTUNE_DATA_DIR']?.trim() || 'data');
console.log(taken.map((name) => `docs/pictures/${name}`).join('\n'));
