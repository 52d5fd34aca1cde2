/** The load's process, told by its parent what to send; a process of its own, so that its event loop is not the measurement's. */
import { setTimeout as delay } from 'node:timers/promises';
import { createBatches } from './batches.ts';
import { openConnection, type Connection } from './connection.ts';

export interface LoadOrder {
  port: number;
  key: string;
  /** Events of one batch. */
  events: number;
  seed: number;
  connections: number;
  seconds: number;
  /** Requests a second, open loop; null for as fast as they are answered. */
  pace: number | null;
}

export interface LoadReply {
  /** Events of requests that were answered with 202, all of them taken. */
  events: number;
  seconds: number;
  /** Milliseconds of each answer; of an open loop from when its turn was. */
  latencies: number[];
}

async function run(order: LoadOrder): Promise<LoadReply> {
  const nextBatch = createBatches(order.key, order.events, order.seed);
  const free = await Promise.all(Array.from({ length: order.connections }, () => openConnection(order.port)));
  const reply: LoadReply = { events: 0, seconds: 0, latencies: [] };
  const send = async (connection: Connection, dueAt: number): Promise<void> => {
    const { accepted } = JSON.parse(await connection.post(nextBatch())) as { accepted: number };
    if (accepted !== order.events) throw new Error(`${accepted} of ${order.events} events were taken`);
    reply.events += accepted;
    reply.latencies.push(performance.now() - dueAt);
  };
  const started = performance.now();
  await (order.pace === null ? atFullSpeed(free, order.seconds, send) : atPace(free, order.pace, order.seconds, send));
  reply.seconds = (performance.now() - started) / 1000;
  for (const connection of free) connection.close();
  return reply;
}

type Send = (connection: Connection, dueAt: number) => Promise<void>;

async function atFullSpeed(connections: readonly Connection[], seconds: number, send: Send): Promise<void> {
  const end = performance.now() + seconds * 1000;
  await Promise.all(
    connections.map(async (connection) => {
      while (performance.now() < end) await send(connection, performance.now());
    }),
  );
}

/** Each request has its moment, whether those before it are answered or not. */
async function atPace(
  connections: readonly Connection[],
  perSecond: number,
  seconds: number,
  send: Send,
): Promise<void> {
  const started = performance.now();
  const total = Math.floor(perSecond * seconds);
  let next = 0;
  await Promise.all(
    connections.map(async (connection) => {
      while (next < total) {
        const dueAt = started + (next++ * 1000) / perSecond;
        const wait = dueAt - performance.now();
        if (wait > 0) await delay(wait);
        await send(connection, dueAt);
      }
    }),
  );
}

process.on('message', (order: LoadOrder) => {
  run(order).then(
    (reply) => process.send?.(reply),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
