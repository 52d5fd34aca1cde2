/**
 * The demonstration: sends the four samples through the real API, shows their steps as they finish, receives every
 * webhook and checks its signature.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { content } from '../../../../clients/typescript/src/index.ts';
import type { DevDescription } from '../settings/devFiles.ts';
import type { Screen } from '../screen.ts';
import type { DemoMode } from '../settings/devSettings.ts';
import { makeDemoApi, type DemoApi, type DemoItem } from './api.ts';
import { isFinal, makeChecklist, type Row } from './checklist.ts';
import { describeItem } from './result.ts';
import type { ReceivedWebhook, SampleServer } from './server.ts';

export const SAMPLE_IDS = ['story', 'depot-sign', 'announcement', 'tram-lesson'] as const;

const POLL_MS = 250; // four items, four times a second: below the limit of a key, which no other process uses
const LIMIT_MS = 180_000;
const CLEAN_UP_MS = 2000;

export interface DemoOptions {
  mode: DemoMode;
  description: DevDescription;
  samples: SampleServer;
  samplesDir: string;
  screen: Screen;
  /** Aborts the demonstration without output. */
  signal: AbortSignal;
}

/** Runs the demonstration when its mode requires it. An error is reported and affects nothing else. */
export async function runDemo(options: DemoOptions): Promise<void> {
  const { mode, description, screen, signal } = options;
  if (mode === 'never') return;
  try {
    const api = makeDemoApi(description, signal);
    if (mode === 'first' && (await wasShown(api))) return;
    await demonstrate(options, api);
  } catch (error) {
    if (signal.aborted) return;
    screen.print(`  The samples could not be shown: ${(error as Error).message}\n`);
  }
}

async function wasShown(api: DemoApi): Promise<boolean> {
  const known = await Promise.all(SAMPLE_IDS.map((id) => api.hasItem(id)));
  return known.includes(true);
}

async function demonstrate(options: DemoOptions, api: DemoApi): Promise<void> {
  const { screen, samples, samplesDir } = options;
  const received = new Map<string, ReceivedWebhook>();
  await api.deleteWebhooksTo(samples.host);
  const { secret } = await api.createWebhook(`${samples.url}/webhook`);
  samples.expectWebhooks(secret, (webhook) => received.set(webhook.itemId, webhook));
  try {
    screen.print('  Four samples (tools/samples/README.md), with a webhook for each when it is done:\n\n');
    const started = performance.now();
    for (const id of SAMPLE_IDS) await send(api, id, await sampleBody(samplesDir, id, samples.url));
    const items = await follow(options, api, received, started);
    screen.live(null);
    screen.print('\n');
    for (const item of items) screen.print(describeItem(item, received.get(item.id)));
    screen.print(closing(items, received));
  } finally {
    // The address disappears with the stack: a webhook left behind would only collect failures. Ctrl-C must not prevent
    // the deletion.
    await makeDemoApi(options.description, AbortSignal.timeout(CLEAN_UP_MS)).deleteWebhooksTo(samples.host);
  }
}

/** Sends an item and requests its analysis, because a repeat of an unchanged item triggers none. */
async function send(api: DemoApi, id: string, body: content.ItemPutRequest): Promise<void> {
  const created = await api.putItem(id, body);
  if (!created) await api.reprocess(id);
}

/** Returns the body of a sample with complete media addresses. */
async function sampleBody(samplesDir: string, id: string, origin: string): Promise<content.ItemPutRequest> {
  const body = JSON.parse(await readFile(join(samplesDir, `${id}.json`), 'utf8')) as content.ItemPutRequest;
  if (!body.media) return body;
  return { ...body, media: body.media.map((medium) => ({ ...medium, url: `${origin}/samples/${medium.url}` })) };
}

/** Shows the items until all have ended and their webhooks have arrived, or the time is up. */
async function follow(
  options: DemoOptions,
  api: DemoApi,
  received: ReadonlyMap<string, ReceivedWebhook>,
  started: number,
): Promise<DemoItem[]> {
  const checklist = makeChecklist(options.screen);
  const rows = new Map<string, Row>();
  while (performance.now() - started < LIMIT_MS) {
    for (const id of SAMPLE_IDS) {
      const last = rows.get(id);
      if (last === undefined || !isFinal(last.item))
        rows.set(id, { item: await api.getItem(id), seconds: (performance.now() - started) / 1000 });
    }
    checklist([...rows.values()]);
    if (SAMPLE_IDS.every((id) => received.has(id)) && [...rows.values()].every(({ item }) => isFinal(item))) break;
    await delay(POLL_MS, undefined, { signal: options.signal });
  }
  return [...rows.values()].map(({ item }) => item);
}

function closing(items: readonly DemoItem[], received: ReadonlyMap<string, ReceivedWebhook>): string {
  const over = items.filter(isFinal).length;
  const genuine = [...received.values()].filter(({ fault }) => fault === null).length;
  const late =
    over === items.length ? '' : ` The others are still being analysed; GET /items/{id} shows how far they are.`;
  return `  ${over} of ${items.length} samples analysed, ${genuine} of ${items.length} webhooks received with a valid signature.${late}\n\n`;
}
