/**
 * The events of a recording: pages, clicks and errors, read from the events of rrweb and from those that the tag adds.
 */
import { cutText } from '../cutText.ts';
import { withoutPersonalAddress } from '../privacy/addresses.ts';
import { withoutContacts } from '../privacy/contactsInTexts.ts';
import { isRecord } from '../isRecord.ts';

const MARK_TYPES = ['page', 'click', 'error'] as const;
export type MarkType = (typeof MARK_TYPES)[number];

export interface RecordingMark {
  /** Epoch milliseconds by the device's clock. */
  at: number;
  type: MarkType;
  /** The page's address, the clicked element's selector, or the error message; null if it was not sent, or not read. */
  text: string | null;
}

/** Maximum size of JSON that is read: reading blocks everything else that the process does. */
export const MARKED_MAX_TEXT_BYTES = 4 * 1_024 * 1_024;
/** Maximum number of marks of one chunk: chunks may be forged. */
const MAX_MARKS = 200;
/** Maximum number of pages of one recording. */
export const MAX_PAGES = 100;

const MAX_LENGTHS: Readonly<Record<MarkType, number>> = { page: 2_048, click: 200, error: 300 };
/** Maximum length of an e-mail address (RFC 5321), longer than any telephone number. */
const MAX_CONTACT = 254;
/** The same where each octet is percent-encoded three times (`%2525D0`). */
const MAX_ENCODED_CONTACT = 7 * MAX_CONTACT;
/** Characters read beyond the limit of a text: for a contact that crosses it, and to replace removed contacts. */
const SPARE = { plain: 1_000, encoded: 2_500 };
/** Maximum number of characters cleaned for one chunk: 48 addresses or 200 other texts of {@link MAX_LENGTHS}. */
const MAX_CLEANED = 100_000;
/** Signs with which the parts of an address begin, and which no contact contains. */
const PART_STARTS = ['/', '?', '#', '&'];
/** The last character that is percent-encoded, or its beginning; a part of it would make the value unreadable. */
const LAST_ESCAPE = /(?:%(?:25)*[c-f][0-9a-f](?:%(?:25)*[89ab][0-9a-f])*)?(?:%(?:25)*[0-9a-f]?)?$/i;
/** Numbers of rrweb's event types. */
const [META, CUSTOM] = [4, 5];
/** Events of rrweb's type `custom` that the tag adds, and the field of each that becomes the mark's text. */
const CUSTOM_TEXTS: Readonly<Record<string, { type: MarkType; field: string }>> = {
  'svc-page': { type: 'page', field: 'href' },
  'svc-click': { type: 'click', field: 'selector' },
  'svc-error': { type: 'error', field: 'message' },
};

/** The number of characters that may still be cleaned. */
interface Budget {
  characters: number;
}

/**
 * Reads the marks of a chunk. The time is bounded: of long texts only the beginning is read, and texts beyond
 * {@link MAX_CLEANED} characters are null.
 * @param json a chunk's events; it may have any form, because anybody who knows the public key can send it
 */
export function marksOf(json: string): RecordingMark[] {
  const marks: RecordingMark[] = [];
  const budget: Budget = { characters: MAX_CLEANED };
  for (const event of eventsOf(json)) {
    const mark = markOf(event, budget);
    if (mark !== null && marks.push(mark) === MAX_MARKS) break;
  }
  return marks;
}

function eventsOf(json: string): unknown[] {
  try {
    const events: unknown = JSON.parse(json);
    return Array.isArray(events) ? events : [];
  } catch {
    return [];
  }
}

function markOf(event: unknown, budget: Budget): RecordingMark | null {
  if (!isRecord(event) || !isRecord(event['data'])) return null;
  const { type, timestamp, data } = event;
  if (typeof timestamp !== 'number' || !Number.isSafeInteger(timestamp)) return null;
  if (type === META) return pageOf(timestamp, data['href'], budget);
  const told = type === CUSTOM && typeof data['tag'] === 'string' ? CUSTOM_TEXTS[data['tag']] : undefined;
  if (!told) return null;
  const text: unknown = isRecord(data['payload']) ? data['payload'][told.field] : undefined;
  if (told.type === 'page') return pageOf(timestamp, text, budget);
  return { at: timestamp, type: told.type, text: typeof text === 'string' ? clean(told.type, text, budget) : null };
}

function pageOf(at: number, href: unknown, budget: Budget): RecordingMark | null {
  if (typeof href !== 'string' || !/^https?:/.test(href)) return null;
  return { at, type: 'page', text: clean('page', href, budget) };
}

/**
 * Cleans a text as the intake stores texts: without personal data, and without what PostgreSQL cannot store. It is cut
 * to its limit last, because a part of a contact would not be recognised. Returns null if the budget is used up.
 */
function clean(type: MarkType, text: string, budget: Budget): string | null {
  if (budget.characters <= 0) return null;
  const read = cutText(text, MAX_LENGTHS[type] + (type === 'page' ? SPARE.encoded : SPARE.plain));
  budget.characters -= read.length;
  const isCut = read.length < text.length;
  const kept = type === 'page' ? cleanAddress(read, isCut) : cleanWords(read, isCut);
  return cutText(kept.replaceAll('\0', ''), MAX_LENGTHS[type]);
}

/** @param isCut the last part of the address (a segment, a member of the query) may end in a part of a contact */
function cleanAddress(address: string, isCut: boolean): string {
  if (!isCut) return withoutPersonalAddress(address);
  const lastPart = Math.max(...PART_STARTS.map((sign) => address.lastIndexOf(sign)));
  const before = withoutPersonalAddress(address.slice(0, lastPart));
  if (address.length - lastPart <= MAX_ENCODED_CONTACT) return before;
  const all = withoutEnd(withoutPersonalAddress(address.replace(LAST_ESCAPE, '')), MAX_ENCODED_CONTACT);
  return all.length > before.length ? all : before;
}

/** @param isCut the text may end in a part of a contact */
function cleanWords(text: string, isCut: boolean): string {
  const kept = withoutContacts(text);
  return isCut ? withoutEnd(kept, MAX_CONTACT) : kept;
}

function withoutEnd(text: string, units: number): string {
  return text.slice(0, Math.max(0, text.length - units));
}

/** Returns each address once, in the order in which they were first seen. */
export function pagesOf(marks: readonly RecordingMark[]): string[] {
  const pages = marks.flatMap(({ type, text }) => (type === 'page' && text !== null ? [text] : []));
  return [...new Set(pages)].slice(0, MAX_PAGES);
}

export function countMarks(marks: readonly RecordingMark[], type: MarkType): number {
  return marks.filter((mark) => mark.type === type).length;
}
