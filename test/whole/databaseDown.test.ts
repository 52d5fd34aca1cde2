/**
 * PostgreSQL is silent, as behind a broken network: writes are refused in time, and everything accepted is done.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { cleanUp } from '../platform/outgoing/support/servers.ts';
import { answerWith, startReceiver, type Receiver } from '../support/servers/receiver.ts';
import { makeCatalogue, mediaBody, textBody, type Catalogue } from '../support/whole/catalogue.ts';
import { addWebhook, createContentClient, liftLimits, type ContentClient } from '../support/whole/client.ts';
import { createGate, startMediaHost, type MediaHost } from '../support/whole/mediaHost.ts';
import { startStack, type WholeStack } from '../support/whole/stack.ts';
import { until } from '../support/whole/until.ts';

/**
 * The document recommends a timeout of 10 s to integrators, and the limits of the API add up to 9 s (db/pool.ts). A
 * busy machine is late by seconds; without a limit the API would never answer.
 */
const CLIENT_PATIENCE_MS = 30_000;

describe('a stack whose PostgreSQL is silent', () => {
  let stack: WholeStack;
  let client: ContentClient;
  let receiver: Receiver;
  let host: MediaHost;
  let catalogue: Catalogue;
  let thaw = (): void => {};

  beforeAll(async () => {
    [catalogue, host, receiver, stack] = await Promise.all([
      makeCatalogue(),
      startMediaHost(),
      startReceiver(answerWith(204)),
      startStack(),
    ]);
    client = createContentClient(stack);
    await addWebhook(stack, receiver.url);
    await liftLimits(stack);
  });

  afterAll(async () => {
    thaw();
    await stack?.stop();
    await cleanUp();
  });

  /** Stops the server and all its backends without ending them: connections stay open and silent. */
  async function freezePostgres(): Promise<void> {
    const pid = (await stack.pids()).postgres ?? 0;
    const backends = await childrenOf(pid);
    const signal = (name: NodeJS.Signals) => {
      for (const one of [pid, ...backends]) {
        try {
          process.kill(one, name);
        } catch {
          // a backend may have ended meanwhile
        }
      }
    };
    signal('SIGSTOP');
    thaw = () => signal('SIGCONT');
  }

  it('answers 503 before its clients give up, reports degraded, and recovers by itself', async () => {
    const gate = createGate();
    host.serve('/held.mp4', (_request, response) => {
      response.writeHead(200, { 'content-length': catalogue.video.length });
      void gate.opened.then(() => response.end(catalogue.video));
    });
    await client.putUntilAnswered('held', mediaBody('video', `${host.url}/held.mp4`));
    await client.putUntilAnswered('before', textBody('before'));
    await host.asked('/held.mp4');
    await freezePostgres();
    const answers = await Promise.all(Array.from({ length: 30 }, (_, n) => client.put(`silent-${n}`, textBody(n))));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
    expect(Math.max(...answers.map(({ ms }) => ms))).toBeLessThan(CLIENT_PATIENCE_MS);
    expect(await client.health()).toBe('degraded');
    gate.open();
    thaw();
    for (let n = 0; n < 30; n += 1) await client.putUntilAnswered(`silent-${n}`, textBody(n));
    for (const id of ['before', 'held', 'silent-0', 'silent-29'])
      expect((await client.finalOf(id)).status).toBe('ready');
    await until(
      'the health',
      () => client.health(),
      (status) => status === 'ok',
    );
    await until(
      'the webhooks',
      async () => new Set(receiver.requests.map(({ deliveryId }) => deliveryId)).size,
      (count) => count === 32,
    );
  });
});

async function childrenOf(pid: number): Promise<number[]> {
  return (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).split(' ').filter(Boolean).map(Number);
}
