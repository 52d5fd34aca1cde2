/** Unpacks and validates parts of a recording: anybody who knows a site's public key may have sent anything. */

export interface RecordedEvent {
  type: number;
  timestamp: number;
  data: Record<string, unknown>;
}

/** Number and length before each part, four bytes each. */
const PREFIX_BYTES = 8;
/** rrweb's numbers of event types, and of sources of changes. */
const LAST_TYPE = 6;
const [SNAPSHOT, INCREMENTAL, META] = [2, 3, 4];
const RESIZE = 4;
/** Moves of the pointer, of a finger, and of dragged objects. */
const MOVES: ReadonlySet<unknown> = new Set([1, 6, 12]);
/** Maximum width and height of a screen. */
const MAX_SIDE = 8_192;
const DAY_MS = 86_400_000;

/** Returns the parts of one response; a lost one is empty. */
export function splitParts(bytes: ArrayBuffer): { seq: number; part: Uint8Array<ArrayBuffer> }[] {
  const view = new DataView(bytes);
  const parts = [];
  for (let at = 0; at + PREFIX_BYTES <= bytes.byteLength;) {
    const length = view.getUint32(at + 4);
    parts.push({ seq: view.getUint32(at), part: new Uint8Array(bytes, at + PREFIX_BYTES, length) });
    at += PREFIX_BYTES + length;
  }
  return parts;
}

/** Returns the text of a part; null if it is longer than `maxBytes`, or not gzip. */
export async function unpack(part: Uint8Array<ArrayBuffer>, maxBytes: number): Promise<string | null> {
  const reader = new Blob([part]).stream().pipeThrough(new DecompressionStream('gzip')).getReader();
  const decoder = new TextDecoder();
  let [text, size] = ['', 0];
  try {
    for (let { done, value } = await reader.read(); !done; { done, value } = await reader.read()) {
      size += value?.byteLength ?? 0;
      if (size > maxBytes) return null;
      text += decoder.decode(value, { stream: true });
    }
    return text + decoder.decode();
  } catch {
    return null;
  } finally {
    void reader.cancel().catch(() => undefined);
  }
}

/**
 * Returns the events that the player accepts, in order.
 * @param beginning the time of the first event of all, null before it is known; events with an earlier time or from
 * another day are left out
 */
export function eventsOf(json: string, beginning: number | null): RecordedEvent[] {
  const events = listOf(json).filter(isEvent);
  const first =
    beginning ?? events.reduce((least, { timestamp }) => Math.min(least, timestamp), Number.POSITIVE_INFINITY);
  return events
    .filter(({ timestamp }) => timestamp >= first && timestamp <= first + DAY_MS)
    .map(withinScreen)
    .sort((a, b) => a.timestamp - b.timestamp);
}

function listOf(json: string): unknown[] {
  try {
    const events: unknown = JSON.parse(json);
    return Array.isArray(events) ? events : [];
  } catch {
    return [];
  }
}

/** A copy of the app's, because the player's document loads no chunk of the app. */
function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isEvent(value: unknown): value is RecordedEvent {
  if (!isRecord(value)) return false;
  const { type, timestamp, data } = value;
  const isOfType = Number.isInteger(type) && (type as number) >= 0 && (type as number) <= LAST_TYPE;
  if (!isOfType || !Number.isSafeInteger(timestamp) || !isRecord(data)) return false;
  return type !== INCREMENTAL || !MOVES.has(data['source']) || hasPlaces(data['positions']);
}

/** The player sorts by these positions. */
function hasPlaces(positions: unknown): boolean {
  if (!Array.isArray(positions) || positions.length === 0) return false;
  return positions.every((one) => isRecord(one) && ['x', 'y', 'timeOffset'].every((key) => Number.isFinite(one[key])));
}

function withinScreen(event: RecordedEvent): RecordedEvent {
  const { type, data } = event;
  if (type === SNAPSHOT) return { ...event, data: { ...data, initialOffset: offsetOf(data['initialOffset']) } };
  const hasSize = type === META || (type === INCREMENTAL && data['source'] === RESIZE);
  if (!hasSize) return event;
  return { ...event, data: { ...data, width: sideOf(data['width']), height: sideOf(data['height']) } };
}

function offsetOf(offset: unknown): { top: number; left: number } {
  const { top, left } = isRecord(offset) ? offset : {};
  return { top: Number.isFinite(top) ? (top as number) : 0, left: Number.isFinite(left) ? (left as number) : 0 };
}

function sideOf(value: unknown): number {
  return typeof value === 'number' && value >= 1 ? Math.min(Math.round(value), MAX_SIDE) : 1;
}
