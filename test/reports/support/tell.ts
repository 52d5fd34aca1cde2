/** Events of a site's pages, judged and stored as POST /collect does, at any time. */
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { createTagEventValidator } from '../../../api/collect/validateTagEvents.ts';
import type { TagBatch } from '../../../tools/traffic/index.ts';
import { storeCollected, type CollectedRequest } from '../../../db/collect/storeCollected.ts';
import { createValidators } from '../../../domain/schemas/validation.ts';
import { BROWSER, RUSSIAN_IP } from '../../loops/ingest/support/inbox.ts';

type Event = TagBatch['events'][number];

/** An event of a page or a tracker; the default is a page view of `/`. */
export type Told = Partial<Event> & { at: number };

const DEVICE = { screen: '1920x1080', window: '1200x800', language: 'ru-RU', timezone: 'Europe/Moscow' };

const judge = createTagEventValidator({
  validators: createValidators({ isMediaUrl: () => false }),
  contactKey: Buffer.alloc(32, 1),
  lateEventMs: Number.POSITIVE_INFINITY,
});

/** Sends one request of the tag, received with its last event. @throws when the intake would drop one of them */
export async function tellSite(
  pool: pg.Pool,
  siteId: string,
  visitorId: string,
  told: readonly Told[],
  userAgent = BROWSER,
): Promise<void> {
  const events = told.map((event): Event => ({
    id: randomUUID(),
    type: 'pageview',
    url: 'https://shop.example/',
    ...event,
  }));
  const at = Math.max(...events.map((event) => event.at));
  await collectBatches(pool, siteId, [
    { kind: 'collect', at, visitorId, ip: RUSSIAN_IP, userAgent, device: DEVICE, events },
  ]);
}

export async function collectBatches(pool: pg.Pool, siteId: string, batches: readonly TagBatch[]): Promise<void> {
  await storeCollected(
    pool,
    batches.map((batch) => requestOf(siteId, batch)),
    24,
  );
}

function requestOf(siteId: string, { visitorId, at, ip, userAgent, device, events }: TagBatch): CollectedRequest {
  return {
    siteId,
    visitorId,
    receivedAt: new Date(at),
    ip,
    userAgent,
    device,
    events: events.map((event) => {
      const judged = judge(
        { ...event, at: new Date(event.at).toISOString() },
        { visitorId, receivedAt: at, clockError: 0, proveUser: (user) => user },
      );
      if (typeof judged === 'string') throw new Error(`dropped: ${judged} ${JSON.stringify(event)}`);
      return judged;
    }),
  };
}
