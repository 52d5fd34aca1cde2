/** The texts of a summary: its sentences, and the description, which is the best of them. */
import type { Zone } from '../text/weightedTextZones.ts';
import { chooseSentences, clip } from './chooseSentences.ts';

/** Maximum characters of the summary, and of the part about pictures if there is prose. */
const SUMMARY_LENGTH = 600;
const VISUAL_LENGTH = 200;
const DESCRIPTION_LENGTH = 200;

/** Numbers in a picture, such as those of a clock, add nothing to prose. */
const WORD = /\p{L}{3}/u;

/** Prefers prose, followed by texts of pictures, which are also used alone. A bare title is its own summary. */
export function chooseText(
  zones: readonly Zone[],
  language: string | null,
): { summary: string; description: string | null } {
  const textsOf = (...kinds: Zone['kind'][]): string[] =>
    zones.filter((zone) => kinds.includes(zone.kind)).map((zone) => zone.text);
  const title = textsOf('title').join('');
  const prose = chooseSentences(
    textsOf('description', 'body', 'transcript').map((text) => withoutHeading(text, title)),
    SUMMARY_LENGTH,
    language,
  );
  const visual = chooseSentences(
    textsOf('ocr', 'frame').filter((text) => prose.text === '' || WORD.test(text)),
    prose.text === '' ? SUMMARY_LENGTH : VISUAL_LENGTH,
    language,
  );
  const summary = [prose.text, visual.text].filter((part) => part !== '').join(' ') || title;
  const best = prose.best || title || visual.best;
  const description = clip(best, DESCRIPTION_LENGTH);
  return { summary, description: description === summary ? null : description };
}

/** Returns a text without its first line if that is the title, as in an article of HTML; a bare title stays. */
function withoutHeading(text: string, title: string): string {
  const rest = text.trimStart();
  const isHeaded =
    title !== '' && rest.startsWith(title) && /^\s*\n\s*\S/.test(rest.slice(title.length, title.length + 100));
  return isHeaded ? rest.slice(title.length).trimStart() : text;
}
