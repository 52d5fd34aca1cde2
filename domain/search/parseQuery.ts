/** What a query says: words, phrases in quotes, and what is not wanted. */

export interface QueryPart {
  /** As written, without its quotes and its minus. */
  text: string;
  /** In quotes: the words one after the other. */
  isPhrase: boolean;
  /** After a minus: what has it is left out. */
  isExcluded: boolean;
}

/** Further parts are not looked at; a query of 500 characters can have more. */
const MOST_PARTS = 48;

const PART = /(?<minus>(?<=^|\s)-)?(?:"(?<quoted>[^"]*)"|«(?<russian>[^»]*)»|“(?<english>[^”]*)”|(?<plain>\S+))/gu;

/** In their order. A quotation mark without its other half is a character like any. */
export function parseQuery(query: string): QueryPart[] {
  const parts: QueryPart[] = [];
  for (const { groups = {} } of query.matchAll(PART)) {
    const phrase = groups.quoted ?? groups.russian ?? groups.english;
    const text = (phrase ?? groups.plain ?? '').trim();
    if (!/[\p{L}\p{N}]/u.test(text) && !isLayoutText(text)) continue;
    parts.push({ text, isPhrase: phrase !== undefined, isExcluded: groups.minus !== undefined });
    if (parts.length >= MOST_PARTS) break;
  }
  return parts;
}

/** Keys that are letters in the other layout: "<" is Б. */
function isLayoutText(text: string): boolean {
  return /^[[\];',.<>{}:`~]{2,}$/.test(text);
}

/** Whether a text that is not meant as a query would be read as more than words. */
export function hasOperators(text: string): boolean {
  return parseQuery(text).some(({ isPhrase, isExcluded }) => isPhrase || isExcluded);
}
