/** Pages use only words of their own area or of the common ones: no others are loaded (words/load.ts). */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import * as analytics from '../../cabinet/src/words/en/analyticsArea.ts';
import * as content from '../../cabinet/src/words/en/contentArea.ts';
import * as entry from '../../cabinet/src/words/en/entryArea.ts';
import { en } from '../../cabinet/src/words/en/index.ts';
import * as installation from '../../cabinet/src/words/en/installationArea.ts';

const SOURCES = join(import.meta.dirname, '../../cabinet/src');
const ALL = new Set(Object.keys(en));
/** By path prefix; other files belong to the common frame. */
const AREAS: [string, object][] = [
  ['pages/home', content],
  ['pages/content', content],
  ['pages/analytics', analytics],
  ['pages/installation', installation],
  ['pages/account/account', installation],
  ['pages/account', {}],
];

const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((file) =>
  /^pages\/.*\.tsx?$/.test(file),
);

/** Returns the topics that a file reads from the dictionary. */
function topicsIn(text: string): string[] {
  const taken = [
    ...text.matchAll(/\{([^{}]*)\}(?:: Words)? = useWords\(\)/g),
    ...text.matchAll(/\{([^{}]*)\}: Words\b/g),
  ].flatMap(([, names = '']) => names.split(',').map((name) => name.split(':')[0]?.trim() ?? ''));
  // Some files name a whole topic `words`.
  const whole = /\w+: words\b[^{}]*\} = useWords/.test(text)
    ? /useWords\(\)\.(\w+)/g
    : /(?:\bwords|useWords\(\))\.(\w+)/g;
  const named = [...text.matchAll(whole)].map(([, name = '']) => name);
  return [...taken, ...named].filter((name) => ALL.has(name));
}

it.each(files)('%s', (file) => {
  const [, area = {}] = AREAS.find(([beginning]) => file.startsWith(beginning)) ?? [];
  const known = new Set([...Object.keys(entry), ...Object.keys(area)]);
  expect(topicsIn(readFileSync(join(SOURCES, file), 'utf8')).filter((topic) => !known.has(topic))).toEqual([]);
});
