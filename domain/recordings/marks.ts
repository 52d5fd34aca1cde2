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
  /** The page's address, the clicked element's selector, or the error message; null when it was not sent. */
  text: string | null;
}

/** Maximum size of JSON that is read: reading blocks everything else that the process does. */
export const MARKED_MAX_TEXT_BYTES = 4 * 1_024 * 1_024;
/** Maximum number of marks of one chunk: chunks may be forged. */
const MAX_MARKS = 200;
/** Maximum number of pages of one recording. */
export const MAX_PAGES = 100;

const MAX_LENGTHS: Readonly<Record<MarkType, number>> = { page: 2_048, click: 200, error: 300 };
/** Numbers of rrweb's event types. */
const [META, CUSTOM] = [4, 5];
/** Events of rrweb's type `custom` that the tag adds, and the field of each that becomes the mark's text. */
const CUSTOM_TEXTS: Readonly<Record<string, { type: MarkType; field: string }>> = {
  'svc-page': { type: 'page', field: 'href' },
  'svc-click': { type: 'click', field: 'selector' },
  'svc-error': { type: 'error', field: 'message' },
};

/**
 * Reads the marks of a chunk.
 * @param json a chunk's events, from anybody who knows the public key: of any form
 */
export function marksOf(json: string): RecordingMark[] {
  const marks: RecordingMark[] = [];
  for (const event of eventsOf(json)) {
    const mark = markOf(event);
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

function markOf(event: unknown): RecordingMark | null {
  if (!isRecord(event) || !isRecord(event['data'])) return null;
  const { type, timestamp, data } = event;
  if (typeof timestamp !== 'number' || !Number.isSafeInteger(timestamp)) return null;
  if (type === META) return pageOf(timestamp, data['href']);
  const told = type === CUSTOM && typeof data['tag'] === 'string' ? CUSTOM_TEXTS[data['tag']] : undefined;
  if (!told) return null;
  const text: unknown = isRecord(data['payload']) ? data['payload'][told.field] : undefined;
  if (told.type === 'page') return pageOf(timestamp, text);
  return { at: timestamp, type: told.type, text: typeof text === 'string' ? clean(told.type, text) : null };
}

function pageOf(at: number, href: unknown): RecordingMark | null {
  return typeof href === 'string' && /^https?:/.test(href) ? { at, type: 'page', text: clean('page', href) } : null;
}

/**
 * Cleans a text as the intake stores texts: without personal data, and without what PostgreSQL cannot store. It is cut
 * last, because a part of a contact would not be recognised.
 */
function clean(type: MarkType, text: string): string {
  const kept = type === 'page' ? withoutPersonalAddress(text) : withoutContacts(text);
  return cutText(kept.replaceAll('\0', ''), MAX_LENGTHS[type]);
}

/** Returns each address once, in the order in which they were first seen. */
export function pagesOf(marks: readonly RecordingMark[]): string[] {
  const pages = marks.flatMap(({ type, text }) => (type === 'page' && text !== null ? [text] : []));
  return [...new Set(pages)].slice(0, MAX_PAGES);
}

export function countMarks(marks: readonly RecordingMark[], type: MarkType): number {
  return marks.filter((mark) => mark.type === type).length;
}
