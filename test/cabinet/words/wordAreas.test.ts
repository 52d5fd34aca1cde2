/**
 * Pages use only words of their own area or of the common ones, and the frame around them only common ones: no others
 * are loaded (words/load.ts).
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import * as analytics from '../../../cabinet/src/words/en/analyticsArea.ts';
import * as content from '../../../cabinet/src/words/en/contentArea.ts';
import * as entry from '../../../cabinet/src/words/en/entryArea.ts';
import * as installation from '../../../cabinet/src/words/en/installationArea.ts';
import { topicsIn } from '../support/samples/topics.ts';

const SOURCES = join(import.meta.dirname, '../../../cabinet/src');
/** By path prefix, the words that files may use in addition to those of `entry`. */
const AREAS: [string, object][] = [
  // A page's tabs are shown with it, and the jump menu loads all areas.
  ['shell/menus/pageTabs.ts', { ...content, ...analytics }],
  // Only on pages of projects.
  ['shell/Banners.tsx', content],
  ['shell/', {}],
  ['pages/home', content],
  ['pages/content', content],
  ['pages/analytics', analytics],
  ['pages/installation', installation],
  ['pages/account/account', installation],
  ['pages/account', {}],
];

const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((file) =>
  /^(?:pages|shell)\/.*\.tsx?$/.test(file),
);

it.each(files)('%s uses only words that are loaded with it', (file) => {
  const [, area = {}] = AREAS.find(([beginning]) => file.startsWith(beginning)) ?? [];
  const known = new Set([...Object.keys(entry), ...Object.keys(area)]);
  const topics = topicsIn(readFileSync(join(SOURCES, file), 'utf8'));
  expect(topics.filter((topic) => !known.has(topic))).toEqual([]);
});

describe('topicsIn', () => {
  it('finds what is read from the dictionary, and not what is read from anything else of that name', () => {
    const source = `
      const titleOf = (code: string, words: Words): string => words.a.titles[code] ?? words.b.none;
      const Row = ({ words }: { words: Words['c'] }) => <td>{words.title}</td>;
      function Page() {
        const words = useWords();
        const { d, e: own } = useWords();
        const { work } = useWords().f;
        return <Row words={words.c} title={\`\${own.title} \${d}\`}>{work.title}{useWords().g.title}</Row>;
      }
      function Other() {
        const { h: words } = useWords();
        return words.title;
      }
      const inner = ({ i }: Words) => i.title;
      function Preferring() {
        const { words, language } = usePreferences();
        return [words.j, usePreferences().words.k, language.length];
      }
    `;
    expect(topicsIn(source)).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k']);
  });
});
