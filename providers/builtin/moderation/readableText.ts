/** Determines whether the lexicons, which are Russian and English, can judge the whole of a text. */
import { detectLanguage } from '../text/detectLanguage.ts';
import { isStopWord } from '../text/stopWords.ts';
import { splitWords } from '../text/words.ts';

/** A passage in another language that is much shorter than a piece goes unnoticed. */
const PIECE_CHARACTERS = 1_000;
/** A name or a short list need no function words ("Nike Air Max"); a passage of this many words does. */
const MIN_PROSE_WORDS = 30;
/** In Russian and English prose a third to a half of the words are function words, in specifications a tenth. */
const MIN_FUNCTION_WORD_SHARE = 0.02;

/** Returns false if a piece of the text is in another language, or in none that is recognised. */
export function isReadable(text: string): boolean {
  const pieces = Math.ceil(text.length / PIECE_CHARACTERS);
  // Equal pieces: a short rest says little about its language.
  const size = Math.ceil(text.length / pieces);
  for (let start = 0; start < text.length; start += size) {
    const piece = text.slice(start, start + size);
    const language = detectLanguage(piece);
    if (language === 'other' || (language === null && isForeign(piece))) return false;
  }
  return true;
}

function isForeign(piece: string): boolean {
  const words = splitWords(piece).filter(({ text }) => /\p{L}/u.test(text));
  const functionWords = words.filter(({ folded }) => isStopWord(folded)).length;
  return words.length >= MIN_PROSE_WORDS && functionWords < words.length * MIN_FUNCTION_WORD_SHARE;
}
