/** Everything is killed at the same moment. After the next start, accepted work is finished, and announced once. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cleanUp } from '../platform/outgoing/support/servers.ts';
import { processesOf } from '../support/whole/launcher.ts';
import { answerWith, startReceiver, type Receiver } from '../support/servers/receiver.ts';
import { makeCatalogue, mediaBody, textBody, type Catalogue } from '../support/whole/catalogue.ts';
import { addWebhook, createContentClient, liftLimits } from '../support/whole/client.ts';
import { createGate, startMediaHost, type MediaHost } from '../support/whole/mediaHost.ts';
import { startStack, type WholeStack } from '../support/whole/stack.ts';
import { strayProcesses, workFolders } from '../support/whole/traces.ts';
import { until } from '../support/whole/until.ts';

const TEXTS = 20;

describe('a stack that is killed as a whole in the middle of analyses', () => {
  let dataDir: string;
  let stack: WholeStack;
  let receiver: Receiver;
  let host: MediaHost;
  let catalogue: Catalogue;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'attune-whole-'));
    await chmod(dataDir, 0o711);
    [catalogue, host, receiver, stack] = await Promise.all([
      makeCatalogue(),
      startMediaHost(),
      startReceiver(answerWith(204)),
      startStack({ dataDir }),
    ]);
    await addWebhook(stack, receiver.url);
    await liftLimits(stack);
  });

  afterAll(async () => {
    await stack?.stop();
    await cleanUp();
    await rm(dataDir, { recursive: true, force: true });
  });

  it('finishes all accepted work after the next start, and announces each item once', async () => {
    const client = createContentClient(stack);
    const gate = createGate();
    host.serve('/held.mp4', (_request, response) => {
      response.writeHead(200, { 'content-length': catalogue.video.length });
      response.write(catalogue.video.subarray(0, 1000));
      void gate.opened.then(() => response.end(catalogue.video.subarray(1000)));
    });
    await client.putUntilAnswered('held', mediaBody('video', `${host.url}/held.mp4`));
    await host.asked('/held.mp4');
    await Promise.all(Array.from({ length: TEXTS }, (_, n) => client.putUntilAnswered(`text-${n}`, textBody(n))));
    await killEverything();
    gate.open();

    const before = stack;
    stack = await startStack({ dataDir });
    expect(stack.dev.project).toEqual(before.dev.project);
    const again = createContentClient(stack);
    const ids = ['held', ...Array.from({ length: TEXTS }, (_, n) => `text-${n}`)];
    for (const id of ids) expect({ id, status: (await again.finalOf(id)).status }).toEqual({ id, status: 'ready' });
    const announced = (): string[] =>
      receiver.requests.map(({ body }) => (JSON.parse(body) as { item: { id: string } }).item.id);
    await until(
      'the webhooks',
      async () => new Set(announced()).size,
      (count) => count === ids.length,
    );
    expect(new Set(receiver.requests.map(({ deliveryId }) => deliveryId)).size).toBe(ids.length);
    expect(
      await until(
        'the folders',
        () => workFolders(stack),
        (folders) => folders.length === 0,
      ),
    ).toEqual([]);
    expect(
      await until(
        'the decoders',
        () => strayProcesses(stack),
        (processes) => processes.length === 0,
      ),
    ).toEqual([]);
  });

  /** Kills all processes without a shutdown, as a power cut would. */
  async function killEverything(): Promise<void> {
    const pids = await stack.pids();
    process.kill(stack.launcherPid, 'SIGKILL');
    for (const pid of Object.values(pids)) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // A process that lost its parent may have ended already.
      }
    }
    await until(
      'the end of all processes',
      () => processesOf(dataDir),
      (left) => left.length === 0,
    );
  }
});
