/** The process that sends the flood; the probe tells it what to send. */
import { openConnection, type Connection } from '../../load/connection.ts';
import { serveCommands } from '../../load/loader.ts';
import { atPace } from '../../load/pace.ts';
import { createRequests, type FloodKind } from './requests.ts';

export interface FloodCommand {
  port: number;
  flood: FloodKind;
  /** Maximum number of requests that wait for their responses at a time. */
  connections: number;
  /** Requests per second; null: as fast as they are answered. */
  perSecond: number | null;
  total: number;
  /** The flood ends after this time, even with requests unsent, so that a busy machine does not prolong it. */
  seconds: number | null;
}

export interface FloodReply {
  /** Responses by status; 0: the connection broke. */
  statuses: Record<string, number>;
  seconds: number;
}

/** A connection that is reopened when it breaks. */
interface Lane {
  connection: Connection;
}

const OPENED_AT_ONCE = 50;

async function run({ port, flood, connections, perSecond, total, seconds: limit }: FloodCommand): Promise<FloodReply> {
  const make = createRequests(flood);
  const lanes = await openLanes(port, connections);
  const statuses: Record<string, number> = {};
  const started = performance.now();
  const end = started + (limit ?? Infinity) * 1000;
  await atPace(lanes, perSecond ?? Infinity, total, async (lane, _dueAt, n) => {
    if (performance.now() > end) return;
    const status = await statusOf(lane, make(n), port);
    statuses[status] = (statuses[status] ?? 0) + 1;
  });
  const seconds = (performance.now() - started) / 1000;
  for (const { connection } of lanes) connection.close();
  return { statuses, seconds };
}

/**
 * Opens a few at a time: the system queues some hundreds of new connections, and those beyond retry only after seconds.
 */
async function openLanes(port: number, count: number): Promise<Lane[]> {
  const lanes: Lane[] = [];
  while (lanes.length < count) {
    const some = Array.from({ length: Math.min(OPENED_AT_ONCE, count - lanes.length) }, () => openConnection(port));
    lanes.push(...(await Promise.all(some)).map((connection) => ({ connection })));
  }
  return lanes;
}

async function statusOf(lane: Lane, request: string | Buffer, port: number): Promise<number> {
  try {
    return (await lane.connection.exchange(request)).status;
  } catch {
    lane.connection.close();
    lane.connection = await openConnection(port);
    return 0;
  }
}

serveCommands(run);
