/** Words of an item that tell a speech recogniser how names are spelt. */
import { withWholeWords } from '../../../domain/items/wholeWords.ts';
import { detectLanguage } from '../text/detectLanguage.ts';
import { beginningOf, hideContacts } from '../text/hideContacts.ts';
import { findNames, takeOrganisations } from './namesByCapitals.ts';
import { cutText } from '../../../domain/cutText.ts';
import { plainTexts, type OwnTexts } from '../../../domain/items/plainText.ts';

/** Whisper reads at most 224 tokens of a prompt, which are some 400 letters in English and fewer in Russian. */
const MAX_CHARACTERS = 200;
/** Names at the beginning of the texts are the most likely to be said. */
const READ_CHARACTERS = 2_000;

/**
 * Returns the title of an item and the names in its texts as one line of at most 200 characters, without contact data;
 * null if there are none.
 * @param own the item's own texts, as they were sent
 */
export function speechHint(own: OwnTexts): string | null {
  const { title, description, body } = plainTexts(own);
  const heading = shown(title ?? '');
  const text = [description, body].map((part) => beginningOf(part?.trimStart() ?? '', READ_CHARACTERS)).join('\n');
  const names = namesIn(shown(text)).filter((name) => !heading.includes(name));
  const hint = [heading, ...new Set(names)].reduce(
    (line, part) => (line.length + part.length + 2 > MAX_CHARACTERS || part === '' ? line : joined(line, part)),
    '',
  );
  return hint || cutText(heading, MAX_CHARACTERS) || null;
}

function joined(line: string, part: string): string {
  return line === '' ? part : `${line}, ${part}`;
}

function shown(text: string): string {
  return hideContacts(withWholeWords(text))
    .replaceAll(/•+/g, ' ')
    .replaceAll(/[ \t\u00a0]+/g, ' ')
    .trim();
}

function namesIn(text: string): string[] {
  const { organisations, rest } = takeOrganisations(text);
  return [...findNames(rest, detectLanguage(text) === 'other'), ...organisations];
}
