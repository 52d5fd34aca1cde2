/** Recorded sessions, as rrweb and the tag write them. */
import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { TestApi } from '../../api/support/testApi.ts';
import { chunkOf, createVisitor, sendChunk } from '../../api/support/recordings.ts';
import type { TestSite } from '../../api/support/testSite.ts';

export interface RecordedEvent {
  type: number;
  /** Milliseconds from the start. */
  at: number;
  data: unknown;
}

interface Node {
  type: number;
  id: number;
  [field: string]: unknown;
}

let ids = 1;

export function element(tagName: string, attributes: Record<string, unknown> = {}, ...childNodes: Node[]): Node {
  return { type: 2, id: (ids += 1), tagName, attributes, childNodes };
}

export function textNode(textContent: string): Node {
  return { type: 3, id: (ids += 1), textContent };
}

/** Returns a full snapshot of a page at its URL. */
export function pageAt(at: number, href: string, ...body: Node[]): RecordedEvent[] {
  const html = element('html', {}, element('head'), element('body', {}, ...body));
  const node = {
    type: 0,
    id: (ids += 1),
    childNodes: [{ type: 1, id: (ids += 1), name: 'html', publicId: '', systemId: '' }, html],
  };
  return [
    { type: 4, at, data: { href, width: 800, height: 600 } },
    { type: 2, at: at + 1, data: { node, initialOffset: { top: 0, left: 0 } } },
  ];
}

/** Returns an event that the tag adds. */
export function told(at: number, tag: string, payload: object): RecordedEvent {
  return { type: 5, at, data: { tag, payload } };
}

export function moved(at: number, x: number, y: number, id = 1): RecordedEvent {
  return { type: 3, at, data: { source: 1, positions: [{ x, y, id, timeOffset: 0 }] } };
}

/** Returns a visit to a shop: two pages, a click, an error, and half a minute without activity. */
export function shopSession(): RecordedEvent[] {
  return [
    ...pageAt(
      0,
      'https://shop.example/',
      element('h1', {}, textNode('Lamps')),
      element('p', {}, textNode('Choose one')),
    ),
    moved(1_000, 100, 100),
    told(2_000, 'svc-click', { selector: '#lamp' }),
    moved(2_100, 120, 140),
    moved(34_000, 300, 200),
    ...pageAt(35_000, 'https://shop.example/cart', element('h1', {}, textNode('Your cart'))),
    told(36_000, 'svc-error', { message: 'TypeError: no price' }),
    moved(40_000, 20, 20),
  ];
}

/**
 * Sends a recording in two parts.
 * @param known its visitor; the default is a new one
 * @param end its last moment
 * @returns its id and its visitor's
 */
export async function record(
  api: Pick<TestApi, 'origin' | 'pool'>,
  site: TestSite,
  events: readonly RecordedEvent[],
  known: string | null = null,
  end = Date.now(),
): Promise<{ recordingId: string; visitorId: string }> {
  const [recordingId, visitorId] = [randomUUID(), known ?? (await createVisitor(api.pool, site.id))];
  const last = events.at(-1)?.at ?? 0;
  const beginning = end - last;
  const middle = Math.ceil(events.length / 2);
  for (const [seq, part] of [events.slice(0, middle), events.slice(middle)].entries()) {
    const stamped = part.map(({ at, ...event }) => ({ ...event, timestamp: beginning + at }));
    const [from = 0, to = from] = [stamped[0]?.timestamp, stamped.at(-1)?.timestamp];
    const head = chunkOf(site, visitorId, recordingId, { seq, from, to, events: Math.max(1, part.length) });
    const { status } = await sendChunk(api, head, gzipSync(JSON.stringify(stamped)), {
      headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/141.0' },
    });
    if (status !== 202) throw new Error(`a part got ${status}`);
  }
  return { recordingId, visitorId };
}
