/** Temporal silent, down, or emptied: the API still answers, and everything is done afterwards. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import type pg from 'pg';
import { createPool } from '../../db/pool.ts';
import { cleanUp } from '../platform/outgoing/support/servers.ts';
import { answerWith, startReceiver, type Receiver } from '../support/servers/receiver.ts';
import { makeCatalogue, mediaBody, textBody, type Catalogue } from '../support/whole/catalogue.ts';
import { addWebhook, createContentClient, liftLimits, type ContentClient } from '../support/whole/client.ts';
import { createGate, startMediaHost, type MediaHost } from '../support/whole/mediaHost.ts';
import { startStack, type WholeStack } from '../support/whole/stack.ts';
import { until } from '../support/whole/until.ts';
import { withoutTriggers } from '../support/unstamped.ts';
import { PATIENT_POOL } from '../support/database.ts';

/** The timeout that integrators are told to use for writes. */
const QUICK_MS = 10_000;

describe('a stack whose Temporal is in trouble', () => {
  let stack: WholeStack;
  let client: ContentClient;
  let receiver: Receiver;
  let host: MediaHost;
  let catalogue: Catalogue;
  let pool: pg.Pool;
  const stopped = new Set<number>();

  beforeAll(async () => {
    [catalogue, host, receiver, stack] = await Promise.all([
      makeCatalogue(),
      startMediaHost(),
      startReceiver(answerWith(204)),
      startStack({ env: { RECONCILE_INTERVAL_SECONDS: '2' } }),
    ]);
    client = createContentClient(stack);
    pool = createPool({
      databaseUrl: stack.dev.database_url,
      size: 2,
      applicationName: 'attune-test',
      ...PATIENT_POOL,
    });
    await addWebhook(stack, receiver.url);
    await liftLimits(stack);
  });

  afterAll(async () => {
    for (const pid of stopped) process.kill(pid, 'SIGCONT');
    await pool?.end();
    await stack?.stop();
    await cleanUp();
  });

  /** Stops a process without ending it: it keeps its connections and answers nothing. */
  async function freeze(name: string): Promise<() => void> {
    const pid = (await stack.pids())[name] ?? 0;
    process.kill(pid, 'SIGSTOP');
    stopped.add(pid);
    return () => {
      process.kill(pid, 'SIGCONT');
      stopped.delete(pid);
    };
  }

  const healthUntil = (wanted: string) =>
    until(
      'the health',
      () => client.health(),
      (status) => status === wanted,
    );
  const announced = (id: string): number =>
    receiver.requests.filter(({ body }) => (JSON.parse(body) as { item: { id: string } }).item.id === id).length;

  it('accepts and shows items while Temporal is silent, reports degraded, and does the work when it is back', async () => {
    await healthUntil('ok');
    const thaw = await freeze('temporal');
    for (let n = 0; n < 20; n += 1) {
      const { status, ms } = await client.put(`silent-${n}`, textBody(n));
      expect(status).toBe(201);
      expect(ms).toBeLessThan(QUICK_MS);
    }
    await healthUntil('degraded');
    expect(await client.put('silent-late', textBody('late'))).toMatchObject({ status: 201 });
    expect((await client.get('silent-0')).status).toBe('queued');
    thaw();
    for (const id of ['silent-late', ...Array.from({ length: 20 }, (_, n) => `silent-${n}`)])
      expect((await client.finalOf(id)).status).toBe('ready');
    await healthUntil('ok');
  });

  it('restores lost workflows in an emptied Temporal: running analyses and webhook retries', async () => {
    const gate = createGate();
    host.serve(
      '/held.png',
      (_request, response) => void gate.opened.then(() => response.writeHead(200).end(catalogue.image)),
    );
    receiver.answer = (response, { body }) => void response.writeHead(body.includes('"retried"') ? 500 : 204).end();
    await client.putUntilAnswered('retried', textBody('retried'));
    await client.putUntilAnswered('held', mediaBody('image', `${host.url}/held.png`));
    await host.asked('/held.png');
    const lane = async () =>
      (await pool.query<{ lane: string }>(`select lane from deliveries where item_id = 'retried'`)).rows[0]?.lane;
    await until('the retry', lane, (now) => now === 'retry');
    const lost = await until('the workflows', openRuns, (runs) => runs.length >= 2);

    await emptyTemporal();
    // Others may have started by now, if all this took a minute.
    expect((await openRuns()).filter((run) => lost.includes(run))).toEqual([]);
    receiver.answer = answerWith(204);
    const refused = announced('retried');
    gate.open();
    // An item unchanged for a minute is reconciled; the test does not wait for that.
    await withoutTriggers(pool, `update items set updated_at = updated_at - interval '5 minutes' where id = 'held'`);
    await pool.query(
      `update deliveries set next_attempt_at = next_attempt_at - interval '10 minutes' where item_id = 'retried'`,
    );
    expect((await client.finalOf('held')).status).toBe('ready');
    await until(
      'the retried webhook',
      async () => announced('retried'),
      (count) => count === refused + 1,
    );
    await until(
      'the webhook',
      async () => announced('held'),
      (count) => count === 1,
    );
    expect(
      new Set(receiver.requests.filter(({ body }) => body.includes('"retried"')).map(({ deliveryId }) => deliveryId))
        .size,
    ).toBe(1);
  });

  it('reports degraded when the oldest analysis has waited for over ten minutes', async () => {
    await healthUntil('ok');
    const thaw = await freeze('workflow');
    await client.putUntilAnswered('waiting', textBody('waiting'));
    const temporalIsReachable = async () =>
      (
        await pool.query<{ reachable: boolean }>(
          `select (report->>'temporalReachable')::boolean as reachable from service_reports where service = 'relay' and updated_at > now() - interval '20 seconds'`,
        )
      ).rows[0]?.reachable;
    await withoutTriggers(pool, `update items set updated_at = now() - interval '9 minutes' where id = 'waiting'`);
    await until('a report', temporalIsReachable, (reachable) => reachable === true);
    expect(await client.health()).toBe('ok');
    await withoutTriggers(pool, `update items set updated_at = now() - interval '11 minutes' where id = 'waiting'`);
    await healthUntil('degraded');
    await until('a report', temporalIsReachable, (reachable) => reachable === true);
    thaw();
    expect((await client.finalOf('waiting')).status).toBe('ready');
    await healthUntil('ok');
  });

  async function openRuns(): Promise<string[]> {
    const connection = await Connection.connect({ address: stack.dev.temporal_address });
    try {
      const runs: string[] = [];
      for await (const { runId } of new Client({ connection }).workflow.list({ query: 'ExecutionStatus = "Running"' }))
        runs.push(runId);
      return runs;
    } finally {
      await connection.close();
    }
  }

  /** Starts a new, empty server at the same address, as after the loss of its database. */
  async function emptyTemporal(): Promise<void> {
    const restarts = (): number => stack.output().split('temporal works again').length;
    const before = restarts();
    const pid = (await stack.pids()).temporal ?? 0;
    await freeze('temporal');
    for (const end of ['', '-wal', '-shm'])
      await rm(join(stack.dataDir, 'temporal', `temporal.db${end}`), { force: true });
    process.kill(pid, 'SIGKILL'); // also ends a stopped process, which need not be resumed first
    stopped.delete(pid);
    await until(
      'the new server',
      async () => restarts(),
      (now) => now > before,
    );
  }
});
