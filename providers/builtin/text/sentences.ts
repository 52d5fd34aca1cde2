/** Splits Russian and English text into sentences, respecting abbreviations and initials. */
import { wholeCharactersEnd } from '../../../domain/cutText.ts';

export interface Sentence {
  /** Trimmed, with inner white space collapsed. */
  text: string;
  /** Offset of the first character in the given text, in UTF-16 code units. */
  start: number;
}

/** Abbreviations that never end a sentence: «ул. Ленина», «им. Чехова», "Dr. Smith". */
const NEVER_ENDS = new Set(
  `ул пр-т просп пер пл наб бул ш д кв стр корп оф обл респ им рис табл илл ред изд сост акад проф доц канд докт инж полк лейт
  гр тов гос св прп свт напр ср см ориг букв англ фр лат греч итал исп яп разг устар тел моб доп осн прим пп ст
  mr mrs ms dr prof st vs fig eq vol eds approx capt lt sgt hon gov e.g i.e cf`.split(/\s+/),
);

/** Abbreviations that may end a sentence, depending on what follows: «и т. д.», «500 руб.», «2020 г.», "Acme Inc.". */
const MAY_END = new Set(
  `д п др пр г гг в вв н э руб коп тыс млн млрд трлн км м см мм га кг мг т ц л мл сек мин ч час дол долл экз ин inc ltd co corp
  jr sr etc a.m p.m`.split(/\s+/),
);

/** A terminator with the quotes and brackets that close with it. */
const TERMINATOR = /[.!?…]+[»”"')\]]*/g;
const STARTS_SENTENCE = /^[\s]*[«“"'([—–-]*\s*[\p{Lu}\p{N}]/u;
const STARTS_UPPER = /^\s*[«“"(]*\p{Lu}/u;
/** The word, or dotted abbreviation, right before the terminator. */
const LAST_TOKEN = /([\p{L}\p{N}]+(?:[.-][\p{L}\p{N}]+)*)$/u;
/** Spaced abbreviations such as «т. е», «и т. д», «н. э», «т. к», recognised by the letter before. */
const SPACED_PAIR = /(?:^|[^\p{L}])([тниюсжкeiТНИКEI])\.\s?(\p{Ll}{1,2})$/u;
const INNER_PAIRS = new Set(['т.е', 'т.к', 'т.н', 'т.о', 'и.о', 'ж.д', 'к.т', 'i.e', 'e.g']);

/** Without punctuation (captions) a sentence is cut at a space after this number of characters. */
const MAX_SENTENCE_LENGTH = 500;
const LINE_BREAK = /\r?\n/g;
/** A line of this length without final punctuation was wrapped; a shorter one is a heading or a list item. */
const WRAPPED_LINE = 60;

/** Splits text into sentences in order. Linear; never returns an empty sentence. */
export function splitSentences(text: string): Sentence[] {
  const sentences: Sentence[] = [];
  for (const block of splitBlocks(text)) {
    let start = 0;
    for (const end of boundaries(block.text)) {
      pushSentence(sentences, block.text.slice(start, end), block.start + start);
      start = end;
    }
    pushSentence(sentences, block.text.slice(start), block.start + start);
  }
  return sentences;
}

/** Splits text into blocks, which end at every line that the next one does not continue. */
function splitBlocks(text: string): Sentence[] {
  const blocks: Sentence[] = [];
  let inVerse = isVerse(stanzaAt(text, 0), LEAST_VERSES);
  let start = 0;
  let line = 0;
  for (const match of text.matchAll(LINE_BREAK)) {
    const next = match.index + match[0].length;
    const ended = text.slice(line, match.index);
    // Later stanzas may be shorter than the first one.
    if (ended.trim() === '') inVerse = isVerse(stanzaAt(text, next), inVerse ? LEAST_FURTHER_VERSES : LEAST_VERSES);
    const isContinued = inVerse ? isContinuedVerse : isWrapped;
    line = next;
    if (isContinued(ended, text.slice(next, next + 20))) continue;
    blocks.push({ text: text.slice(start, match.index), start });
    start = next;
  }
  blocks.push({ text: text.slice(start), start });
  return blocks;
}

/** Returns whether the next line continues this one: in lower case, or after a long line without final punctuation. */
function isWrapped(line: string, next: string): boolean {
  if (/^[ \t]*\p{Ll}/u.test(next)) return true;
  return (
    line.length >= WRAPPED_LINE && /[\p{L}\p{N},]\s*$/u.test(line.slice(-4)) && /^[ \t]*[\p{L}\p{N}«"]/u.test(next)
  );
}

/** Minimum number of lines of a stanza, and of one that follows another: fewer are a list or an address. */
const LEAST_VERSES = 4;
const LEAST_FURTHER_VERSES = 2;
/** Least share of the lines of a stanza that end with a comma or semicolon; lines of lists hardly ever do. */
const MIN_ENJAMBED = 0.2;
/** More characters than a stanza has. */
const STANZA_SAMPLE = 2_000;

function stanzaAt(text: string, start: number): string {
  const sample = text.slice(start, start + STANZA_SAMPLE);
  const end = sample.search(/\n\s*?\n/);
  return end < 0 ? sample : sample.slice(0, end);
}

/**
 * Returns whether lines are a stanza: short, of several words, beginning with capitals in the middle of a sentence. A
 * line that ends with a colon is the label of a form or the speaker of a dialogue, and lines that nearly all end with
 * semicolons are a list.
 */
function isVerse(stanza: string, minLines: number): boolean {
  const lines = stanza
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const ending = lines.filter((line) => /[\p{L}»”"][,;]$/u.test(line));
  return (
    lines.length >= minLines &&
    lines.every((line) => line.length < WRAPPED_LINE && /^[«“"(—–-]*\s?\p{L}.*[^:]$/u.test(line)) &&
    lines.filter((line) => line.split(/\s+/).length >= 3).length * 2 > lines.length &&
    lines.filter((line) => line.endsWith(';')).length * 2 <= lines.length &&
    ending.length >= MIN_ENJAMBED * lines.length
  );
}

/** In verse a sentence goes on until it ends, or until the stanza does. */
function isContinuedVerse(line: string, next: string): boolean {
  return !/[.!?…][»”"')\]]*\s*$/u.test(line.slice(-8)) && line.trim() !== '' && /^[ \t]*\S/.test(next);
}

function* boundaries(block: string): Generator<number> {
  for (const match of block.matchAll(TERMINATOR)) {
    const end = match.index + match[0].length;
    const after = block.slice(end, end + 12);
    if (!/^\s/.test(after) || !STARTS_SENTENCE.test(after)) continue;
    if (match[0].startsWith('.') && !match[0].startsWith('..') && isAbbreviation(block, match.index, after)) continue;
    yield end;
  }
}

/** Returns whether the dot at `dot` belongs to an abbreviation or initial and does not end the sentence. */
function isAbbreviation(block: string, dot: number, after: string): boolean {
  const before = block.slice(Math.max(0, dot - 24), dot);
  const token = LAST_TOKEN.exec(before)?.[1];
  if (token === undefined || /^\d+$/.test(token)) return token !== undefined && isListNumber(before);
  const folded = token.toLowerCase();
  const pair = SPACED_PAIR.exec(before);
  if (pair !== null) return INNER_PAIRS.has(`${pair[1]}.${pair[2]}`.toLowerCase()) || !STARTS_UPPER.test(after);
  if (folded === 'г') return !/\d\s*г$/i.test(before) || !STARTS_UPPER.test(after);
  if (isInitial(token)) return true;
  if (NEVER_ENDS.has(folded) && !(MAY_END.has(folded) && /\d\s*\p{L}+$/u.test(before))) return true;
  return MAY_END.has(folded) && !STARTS_UPPER.test(after);
}

/**
 * Returns whether a token is an initial: «А. С. Пушкин», "J. R. R. Tolkien", "U.S. Army". The pronouns "I" and «Я» do
 * end sentences.
 */
function isInitial(token: string): boolean {
  return /^\p{Lu}(?:\.\p{Lu})*$/u.test(token) && token !== 'I' && token !== 'Я';
}

/** Returns whether the block begins with a list number: «1. Включите прибор». */
function isListNumber(before: string): boolean {
  return /^\s*\d{1,3}$/.test(before);
}

/** Trims one sentence, and cuts it at spaces if it is too long. */
function pushSentence(sentences: Sentence[], raw: string, start: number): void {
  let rest = raw.trimEnd();
  let offset = start;
  while (rest !== '') {
    const lead = rest.length - rest.trimStart().length;
    rest = rest.slice(lead);
    offset += lead;
    const cut = rest.length <= MAX_SENTENCE_LENGTH ? rest.length : cutAt(rest);
    sentences.push({ text: rest.slice(0, cut).replace(/\s+/g, ' '), start: offset });
    rest = rest.slice(cut);
    offset += cut;
  }
}

function cutAt(text: string): number {
  const space = text.lastIndexOf(' ', MAX_SENTENCE_LENGTH);
  return space > 0 ? space : wholeCharactersEnd(text, MAX_SENTENCE_LENGTH);
}
