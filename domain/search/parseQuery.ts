/** The parts of a query: words, quoted phrases, and exclusions. */

export interface QueryPart {
  /** As written, without its quotes and its minus. */
  text: string;
  /** Quoted: the words have to follow one another. */
  isPhrase: boolean;
  /** Preceded by a minus: items that contain it are left out. */
  isExcluded: boolean;
}

/**
 * Maximum number of words and phrases that are searched for; a query of 500 characters can have more, which are
 * ignored, even if signs join them to the first ones ("a.b.c"). Exclusions are neither counted nor ignored: the items
 * that they exclude must not be shown, and the length of a query limits their number.
 */
const MAX_SEARCHED = 48;

const WORD = /[\p{L}\p{M}\p{N}]+/gu;
const PART = /(?<minus>(?<=^|\s)-)?(?:"(?<quoted>[^"]*)"|«(?<russian>[^»]*)»|“(?<english>[^”]*)”|(?<plain>\S+))/gu;

/** Returns the parts in order. A quotation mark without its counterpart is an ordinary character. */
export function parseQuery(query: string): QueryPart[] {
  const parts: QueryPart[] = [];
  let searched = 0;
  for (const { groups = {} } of query.matchAll(PART)) {
    const phrase = groups.quoted ?? groups.russian ?? groups.english;
    const text = (phrase ?? groups.plain ?? '').trim();
    if (!/[\p{L}\p{N}]/u.test(text) && !isLayoutText(text)) continue;
    const part = { text, isPhrase: phrase !== undefined, isExcluded: groups.minus !== undefined };
    if (part.isExcluded) parts.push(part);
    if (part.isExcluded || searched >= MAX_SEARCHED) continue;
    const ends = part.isPhrase ? [] : Array.from(text.matchAll(WORD), ({ 0: word, index }) => index + word.length);
    const left = MAX_SEARCHED - searched;
    parts.push(ends.length > left ? { ...part, text: text.slice(0, ends[left - 1]) } : part);
    searched += Math.max(1, ends.length);
  }
  return parts;
}

/** Matches keys that are letters in the other layout: "<" is Б. */
function isLayoutText(text: string): boolean {
  return /^[[\];',.<>{}:`~]{2,}$/.test(text);
}

/** Returns true when a plain text would be parsed as more than words. */
export function hasOperators(text: string): boolean {
  return parseQuery(text).some(({ isPhrase, isExcluded }) => isPhrase || isExcluded);
}
