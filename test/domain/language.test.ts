import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { LANGUAGE_CODES } from '../../cabinet/src/words/load.ts';
import { LANGUAGES } from '../../domain/language.ts';

const ROOT = join(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const names = new Intl.DisplayNames('en', { type: 'language' });

it('the cabinet has the languages of the service', () => {
  expect(LANGUAGE_CODES.toSorted()).toEqual(LANGUAGES.toSorted());
});

it('the codes of languages have no region', () => {
  expect(LANGUAGES.filter((code) => new Intl.Locale(code).language !== code)).toEqual([]);
});

it.each(['README.md', 'docs/cabinet.md', 'docs/people.md', 'docs/decisions/cabinet-app.md'])(
  '%s names every language',
  (file) => {
    const text = read(file);
    expect(LANGUAGES.map((language) => names.of(language) ?? language).filter((name) => !text.includes(name))).toEqual(
      [],
    );
  },
);

it.each(globSync('cabinet/*.html', { cwd: ROOT }).filter((file) => read(file).includes('<noscript>')))(
  '%s says in every language that it needs JavaScript',
  (file) => {
    const [, notice = ''] = /<noscript>(.+)<\/noscript>/s.exec(read(file)) ?? [];
    expect([...notice.matchAll(/ lang="(\w+)"/g)].map(([, code]) => code).toSorted()).toEqual(LANGUAGES.toSorted());
  },
);
