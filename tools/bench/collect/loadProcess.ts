/** The load generator's process; its parent tells it what to send. */
import { collectRequest, createBatches } from '../../load/batches.ts';
import { openConnection, type Connection } from '../../load/connection.ts';
import { serveCommands } from '../../load/loader.ts';
import { atPace } from '../../load/pace.ts';

export interface LoadCommand {
  port: number;
  key: string;
  /** Events per batch. */
  events: number;
  seed: number;
  connections: number;
  seconds: number;
  /** Requests per second, open loop; null for as fast as they are answered. */
  pace: number | null;
}

export interface LoadReply {
  /** Number of events in requests that were answered with 202, all of them accepted. */
  events: number;
  seconds: number;
  /** Latency of each request in milliseconds; in an open loop, from its scheduled time. */
  latencies: number[];
}

async function run(command: LoadCommand): Promise<LoadReply> {
  const nextBatch = createBatches(command.key, command.events, command.seed);
  const free = await Promise.all(Array.from({ length: command.connections }, () => openConnection(command.port)));
  const reply: LoadReply = { events: 0, seconds: 0, latencies: [] };
  const send = async (connection: Connection, dueAt: number): Promise<void> => {
    const { status, text } = await connection.exchange(collectRequest(nextBatch()));
    if (status !== 202) throw new Error(`answered: ${text}`);
    const { accepted } = JSON.parse(text) as { accepted: number };
    if (accepted !== command.events) throw new Error(`${accepted} of ${command.events} events were accepted`);
    reply.events += accepted;
    reply.latencies.push(performance.now() - dueAt);
  };
  const started = performance.now();
  await (command.pace === null
    ? atFullSpeed(free, command.seconds, send)
    : atPace(free, command.pace, Math.floor(command.pace * command.seconds), send));
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

serveCommands(run);
