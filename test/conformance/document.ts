/** docs/conformance.md, generated from the lists of rules and the tags of the tests. */
import { join } from 'node:path';
import type { Proofs, TestRef } from './proofs.ts';
import type { Chapter, Rule } from './rule.ts';

export const DOCUMENT = join(import.meta.dirname, '..', '..', 'docs', 'conformance.md');

const HEAD = `# Conformance

These tables list every numbered rule and every row of a table in the documents of the content API and of the analytics API (chapters "Analytics: …"), and the requirements of the documents on recommendations and search ("Output: …") and on reports ("Reports: …"). They also list what was decided and designed where these are silent ("Decisions: …", and the chapters on \`POST /collect\`). Each is summarised, with the tests that prove it. "Not proved" says why no test proves a rule.

\`npm run conformance\` generates this file: the rules are listed in \`test/conformance/rules/\`, and a test names the rules that it proves in a comment directly above it, \`// proves: limits/url, write/url\`. A test fails when a rule has no test, when a tag names no rule or is not above a test, and when this file is out of date.
`;

/** Returns the file's content. */
export function writeDocument(chapters: readonly Chapter[], { byRule }: Proofs): string {
  return [HEAD, ...chapters.map((chapter) => chapterOf(chapter, byRule))].join('\n');
}

function chapterOf({ id, title, rules }: Chapter, byRule: Proofs['byRule']): string {
  const rows = rules.map((rule) => rowOf(rule, `${id}/${rule.id}`, byRule.get(`${id}/${rule.id}`) ?? []));
  return `## ${title}\n\n| rule | id | requires | proved by |\n|---|---|---|---|\n${rows.join('\n')}\n`;
}

function rowOf({ name, says, untested }: Rule, id: string, tests: readonly TestRef[]): string {
  const shownBy = untested === undefined ? tests.map(linkOf).join('<br>') : `not proved: ${cell(untested)}`;
  return `| ${cell(name)} | \`${id}\` | ${cell(says)} | ${shownBy} |`;
}

function linkOf({ file, title, rows }: TestRef): string {
  const name = file.replace(/^test\//, '').replace(/\.test\.ts$/, '');
  return `[${name}](../${file}) › ${cell(title)}${rows.length > 0 ? ` (${cell(rows.join('; '))})` : ''}`;
}

/** Escapes characters that are special in a table or a page. */
function cell(text: string): string {
  return text
    .replaceAll('|', '\\|')
    .replaceAll('<', '&lt;')
    .replaceAll(/[*_{}]/g, '\\$&');
}
