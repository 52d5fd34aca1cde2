/**
 * Robots: crawlers that identify themselves, crawlers without scripts that pose as browsers, and one that sends too
 * much.
 */
import type { Chance } from './chance.ts';
import { createPerson, type Person } from './people.ts';
import { CATEGORY_PAGES, HOME, POST_PAGES, PRODUCT_PAGES, type Page } from './shop/site.ts';
import type { Trail } from './trail.ts';

const CRAWLERS = [
  'Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)',
  'Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm) Chrome/142.0.0.0 Safari/537.36',
  'Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)',
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/142.0.0.0 Safari/537.36',
] as const;

export type RobotKind = 'crawler' | 'plain' | 'frequent';

/** Number of consecutive pages, and seconds between them. */
const PACES: Readonly<Record<RobotKind, { pages: readonly [number, number]; seconds: number }>> = {
  crawler: { pages: [5, 40], seconds: 6 },
  // Over 60 pages, less than 5 s each, and nothing but page views from an unknown device.
  plain: { pages: [70, 110], seconds: 2 },
  // Over 1,000 events within an hour.
  frequent: { pages: [1_150, 1_250], seconds: 2 },
};

const ALL: readonly Page[] = [HOME, ...CATEGORY_PAGES, ...PRODUCT_PAGES, ...POST_PAGES];

export function createRobot(kind: RobotKind, chance: Chance): Person {
  const robot = createPerson(chance);
  if (kind !== 'crawler') return { ...robot, runsScripts: kind !== 'plain' };
  return { ...robot, device: { userAgent: chance.pick(CRAWLERS), screen: '1024x768', window: '1024x768' } };
}

export function crawl(trail: Trail, kind: RobotKind, chance: Chance): void {
  const {
    pages: [fewest, most],
    seconds,
  } = PACES[kind];
  for (let left = chance.between(fewest, most); left > 0; left--) {
    trail.open(chance.pick(ALL), '', null);
    trail.stay(Math.max(0, seconds - 1));
  }
}
