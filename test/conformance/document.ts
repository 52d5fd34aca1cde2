/** docs/conformance.md, generated from the lists. */
import { join } from 'node:path';
import type { Chapter, Rule, TestRef } from './rule.ts';

export const DOCUMENT = join(import.meta.dirname, '..', '..', 'docs', 'conformance.md');

const HEAD = `# Conformance

Every numbered rule and every row of a table of the documents of the content API and (chapters "Analytics: …") of the analytics API, in short, with the tests that show it; of the decisions on \`POST /collect\`, and (chapters "Output: …") of those on recommendations and search. "Not built yet" names the operation, or the part of one, that is to come; "not shown" says why no test shows it. Made by \`npm run conformance\` from \`test/conformance/rules/\`; a test fails when a rule has no test or its operation is there by now, when a named test is not there, and when this file is not what the lists make of it.
`;

/** Returns the file's content. */
export function writeDocument(chapters: readonly Chapter[]): string {
  return [HEAD, ...chapters.map(chapterOf)].join('\n');
}

function chapterOf({ title, rules }: Chapter): string {
  return `## ${title}\n\n| rule | asks | shown by |\n|---|---|---|\n${rules.map(rowOf).join('\n')}\n`;
}

function rowOf(rule: Rule): string {
  return `| ${cell(rule.id)} | ${cell(rule.says)} | ${shownBy(rule)} |`;
}

function shownBy({ tests, untested, unbuilt }: Rule): string {
  if (unbuilt !== undefined) return `**not built yet** (${cell(unbuilt)})`;
  return untested === undefined ? tests.map(linkOf).join('<br>') : `not shown: ${cell(untested)}`;
}

function linkOf({ file, title, cases }: TestRef): string {
  const path = `test/${file}.test.ts`;
  return `[${file}](../${path}) › ${cell(title)}${cases.length > 0 ? ` (${cell(cases.join('; '))})` : ''}`;
}

/** Escapes characters that are special in a table or a page. */
function cell(text: string): string {
  return text
    .replaceAll('|', '\\|')
    .replaceAll('<', '&lt;')
    .replaceAll(/[*_{}]/g, '\\$&');
}
