/** Formats an answer for reading: what was given, which parts are wrong, what is missing. */
import { compareList, compareSentences } from './compare.ts';
import type { Judged } from './figures.ts';

export function showAnswer({ sample, answer, readsAsSentences, ocr }: Judged): string {
  const { expect, name } = sample;
  const lines = [
    showList('tags', answer.tags, expect.tags, expect.also),
    showList('topics', answer.topics, expect.topics, expect.topics_also),
    showList('people', answer.people, expect.people, expect.also_people),
    showList('organisations', answer.organisations, expect.organisations, expect.also_organisations),
    showList('places', answer.places, expect.places, expect.also_places),
    `summary${readsAsSentences ? '' : ' (does not read as sentences)'}: ${answer.summary}${showSentences(answer.summary, expect.summary)}`,
    ocr === null ? '' : `read: ${answer.ocr}`,
  ];
  return [`== ${name}${sample.held_out === true ? ' (held out)' : ''}`, ...lines.filter(Boolean), ''].join('\n');
}

function showSentences(summary: string, expected: readonly string[] = []): string {
  const main = expected.at(0);
  const isMissing = main !== undefined && compareSentences(summary, expected).found === 0;
  return isMissing ? `  [missing: ${main}…]` : '';
}

function showList(
  name: string,
  given: readonly string[],
  expected: readonly string[] = [],
  allowed: readonly string[] = [],
): string {
  const shown = given.map((entry) => (compareList([entry], expected, allowed).right > 0 ? entry : `✗${entry}`));
  const missing = expected.filter((entry) => compareList(given, [entry]).found === 0);
  if (shown.length + missing.length === 0) return '';
  return `${name}: ${shown.join(', ')}${missing.length > 0 ? `  [missing: ${missing.join(', ')}]` : ''}`;
}
