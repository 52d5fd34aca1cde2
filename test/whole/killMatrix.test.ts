/** Each process of a stack is killed in the middle of analyses: what was accepted is done all the same. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { createPool } from '../../db/pool.ts';
import { cleanUp } from '../outgoing/support/servers.ts';
import { answerWith, startReceiver, type Receiver } from '../support/receiver.ts';
import { BODY_MARK, makeCatalogue, mediaBody, textBody, type Catalogue } from '../support/whole/catalogue.ts';
import { addWebhook, createContentClient, liftLimits, type ContentClient, type ItemBody } from '../support/whole/client.ts';
import { createGate, startMediaHost, type MediaHost } from '../support/whole/mediaHost.ts';
import { startStack, type WholeStack } from '../support/whole/stack.ts';
import { linesWith, serviceLogs, strayProcesses, workFolders } from '../support/whole/traces.ts';
import { until } from '../support/whole/until.ts';

const START_MS = 120_000;
const TEXTS = 4;

describe('a stack whose processes are killed one after the other', () => {
  let stack: WholeStack;
  let client: ContentClient;
  let receiver: Receiver;
  let host: MediaHost;
  let catalogue: Catalogue;
  let secret: string;
  /** Items whose PUT was answered. */
  const accepted = new Set<string>();

  beforeAll(async () => {
    [catalogue, host, receiver, stack] = await Promise.all([makeCatalogue(), startMediaHost(), startReceiver(), startStack({ env: { LOG_LEVEL: 'debug' } })]);
    client = createContentClient(stack);
    secret = await addWebhook(stack, receiver.url);
    await liftLimits(stack);
  }, START_MS);

  afterAll(async () => {
    await stack?.stop();
    await cleanUp();
  }, START_MS);

  async function send(id: string, body: ItemBody): Promise<void> {
    await client.putUntilAnswered(id, body);
    accepted.add(id);
  }

  /** Texts, a picture and a video with subtitles under a prefix; resolves when all are accepted. */
  async function sendBatch(prefix: string): Promise<void> {
    if (!host.counts.has(`/${prefix}.mp4`)) host.serve(`/${prefix}.mp4`, catalogue.video);
    host.serve(`/${prefix}.png`, catalogue.image);
    await Promise.all([
      send(`${prefix}-video`, mediaBody('video', `${host.url}/${prefix}.mp4`)),
      send(`${prefix}-image`, mediaBody('image', `${host.url}/${prefix}.png`)),
      ...Array.from({ length: TEXTS }, (_, n) => send(`${prefix}-text-${n}`, textBody(`${prefix} ${n}`))),
    ]);
  }

  /** Holds the video of a batch back, so that its analysis is under way for certain when the kill comes. */
  function holdVideo(prefix: string): () => void {
    const gate = createGate();
    host.serve(`/${prefix}.mp4`, (_request, response) => {
      response.writeHead(200, { 'content-length': catalogue.video.length });
      response.write(catalogue.video.subarray(0, 1000));
      void gate.opened.then(() => response.end(catalogue.video.subarray(1000)));
    });
    host.counts.set(`/${prefix}.mp4`, 0);
    return gate.open;
  }

  /** Kills a process as the kernel's memory killer does, and waits until the launcher has replaced it. */
  async function kill(name: string): Promise<void> {
    const pid = (await stack.pids())[name] ?? 0;
    const restarts = (): number => stack.output().split(`${name} works again`).length;
    const before = restarts();
    process.kill(pid, 'SIGKILL');
    await until(`${name} after its kill`, async () => restarts(), (now) => now > before);
    expect((await stack.pids())[name]).not.toBe(pid);
  }

  it.each(['relay', 'workflow', 'temporal', 'postgres'])('goes on when %s is killed while a medium is fetched', async (victim) => {
    const release = holdVideo(victim);
    await sendBatch(victim);
    await host.asked(`/${victim}.mp4`);
    await Promise.all([kill(victim), send(`${victim}-late`, textBody(`${victim} late`))]);
    expect((await client.get(`${victim}-video`)).processing.prepare).not.toBe('done');
    release();
  }, 60_000);

  it('goes on when postgres is killed under a load of short texts, without putting any off', async () => {
    const writes = Array.from({ length: 40 }, (_, n) => send(`database-load-${n}`, textBody(n)));
    await Promise.race(writes);
    await Promise.all([kill('postgres'), ...writes]);
    expect([...accepted].filter((id) => id.startsWith('database-load-'))).toHaveLength(40);
  }, 60_000);

  it('goes on when the API is killed under a load of writes, which the client sends again', async () => {
    const over = new AbortController();
    let sent = 0;
    // The load lasts as long as the API is away, so that some request must meet that.
    const load = Array.from({ length: 4 }, async () => {
      while (!over.signal.aborted) await send(`api-load-${sent}`, textBody(sent++));
    });
    await Promise.all([kill('api').finally(() => over.abort()), sendBatch('api')]);
    await Promise.all(load);
    expect(client.broken.length).toBeGreaterThan(0);
  }, 60_000);

  it('goes on when media is killed with its decoder at work, which dies with it', async () => {
    await sendBatch('media');
    await until('a decoder', () => strayProcesses(stack), (found) => found.length > 0);
    expect(await workFolders(stack)).not.toEqual([]);
    const decoders = (await strayProcesses(stack)).map((line) => line.split(' ')[0]);
    process.kill((await stack.pids()).media ?? 0, 'SIGKILL');
    await until('the decoder', () => strayProcesses(stack), (found) => !found.some((line) => decoders.includes(line.split(' ')[0])), 5_000);
  }, 60_000);

  it('goes on when ai is killed during its work', async () => {
    await sendBatch('ai');
    await client.itemUntil('ai-video', ({ processing }) => processing.vision !== 'queued');
    await kill('ai');
    expect((await client.finalOf('ai-video')).processing.vision).toBe('done');
  }, 60_000);

  it('sends again what was under way when webhook is killed', async () => {
    const gate = createGate();
    const before = receiver.requests.length;
    receiver.answer = (response) => void gate.opened.then(() => response.writeHead(204).end());
    await sendBatch('webhook');
    await receiver.received(before + 1);
    const underWay = receiver.requests.slice(before).map((request) => request.deliveryId);
    await kill('webhook');
    receiver.answer = answerWith(204);
    gate.open();
    const timesSent = (id: string): number => receiver.requests.filter((request) => request.deliveryId === id).length;
    const times = await until('the delivery under way', async () => underWay.map(timesSent), (sent) => sent.every((count) => count >= 2));
    expect(times.length).toBeGreaterThan(0);
  }, 90_000);

  it('brings every accepted item to its end', async () => {
    for (const id of accepted) {
      const item = await client.finalOf(id, 90_000);
      expect({ id, status: item.status, errors: item.processing_errors }).toMatchObject({ id, status: 'ready' });
    }
    const { transcript } = await client.get('media-video', 'transcript');
    expect(transcript?.[0]?.text).toContain('Tonight there are seven of them');
  }, 120_000);

  it('announces each of them, every request of a delivery with the same identity', async () => {
    const announced = (): Set<string> => new Set(receiver.requests.map((request) => (JSON.parse(request.body) as Announcement).item.id));
    await until('the webhooks', async () => [...accepted].filter((id) => !announced().has(id)), (missing) => missing.length === 0, 90_000);
    const identities = new Map<string, Set<string>>();
    for (const { deliveryId, body, headers } of receiver.requests) {
      const { delivery_id: inBody, event, item } = JSON.parse(body) as Announcement;
      expect(inBody).toBe(deliveryId);
      const identity = JSON.stringify([headers['x-core-event'], event, item]);
      identities.set(deliveryId, (identities.get(deliveryId) ?? new Set()).add(identity));
    }
    for (const same of identities.values()) expect([...same]).toHaveLength(1);
    expect(identities.size).toBe(accepted.size); // one event to a status change, however often it was sent
  }, 120_000);

  it('takes the same write again without a change or an event', async () => {
    const sent = receiver.requests.length;
    expect(await client.put('api-text-0', textBody('api 0'))).toMatchObject({ status: 200 });
    expect((await client.get('api-text-0')).status).toBe('ready');
    await send('after', textBody('after'));
    await receiver.received(sent + 1);
    expect((JSON.parse(receiver.requests.at(-1)?.body ?? '') as Announcement).item.id).toBe('after');
  }, 60_000);

  it('leaves no work behind: no folder, no decoder, no row, no open workflow', async () => {
    await until('the folders', () => workFolders(stack), (folders) => folders.length === 0, 20_000);
    expect(await strayProcesses(stack)).toEqual([]);
    const pool = createPool({ databaseUrl: stack.dev.database_url, size: 1, applicationName: 'attune-test' });
    const connection = await Connection.connect({ address: stack.dev.temporal_address });
    try {
      const rows = async () => (await pool.query<{ outbox: number; undelivered: number }>(
        `select (select count(*)::int from outbox) as outbox, (select count(*)::int from deliveries where status <> 'delivered') as undelivered`,
      )).rows[0];
      await until('the tables', rows, (left) => left?.outbox === 0 && left.undelivered === 0, 60_000);
      const open = () => new Client({ connection }).workflow.count('ExecutionStatus = "Running"');
      await until('the workflows', open, ({ count }) => count === 0, 60_000);
    } finally {
      await connection.close();
      await pool.end();
    }
  }, 150_000);

  it('logs no key, no secret, no token and nothing of a body', async () => {
    const { project, cabinet_token: token } = stack.dev;
    const logs = await serviceLogs(stack);
    expect(logs).toContain('"level":"debug"');
    expect(linesWith(logs, [project.key, token, secret, BODY_MARK, 'Bearer '])).toEqual([]);
    expect(linesWith(stack.output(), [secret, BODY_MARK])).toEqual([]);
  });

  it('ends without a trace', async () => {
    await stack.stop();
    expect(stack.output()).toMatch(/stopped\n$/);
  }, START_MS);
});

interface Announcement {
  delivery_id: string;
  event: string;
  item: { id: string; status: string };
}
