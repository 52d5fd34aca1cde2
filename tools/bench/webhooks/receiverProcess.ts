/**
 * The receiver's process: one HTTPS server per address, whose answers its parent controls. It is a separate process, so
 * that the injector's event loop delays no receipt.
 */
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import { join } from 'node:path';
import type { AddressInfo } from 'node:net';
import { now } from './clock.ts';

/** The status of every response, or null to accept and never answer. */
export type Answer = number | null;

export type Command =
  | { ask: 'open'; addresses: number }
  | { ask: 'answer'; address: number; answer: Answer }
  | { ask: 'collect'; run: string; count: number; patienceMs: number };

/** Receipts for the items of a run. */
export interface Receipts {
  /** Time of the first receipt of each item. */
  receivedAt: Map<string, number>;
  /** Requests for items that had arrived before. */
  repeats: number;
}

export type Reply = number[] | Receipts | null;

const PEM = readFileSync(join(import.meta.dirname, '../../../test/platform/outgoing/fixtures/good.pem'), 'utf8');
const servers: { server: Server; answer: Answer }[] = [];
const runs = new Map<string, Receipts>();
const waiting = new Map<string, { count: number; resolve: (receipts: Receipts) => void }>();

function receiptsOf(run: string): Receipts {
  let receipts = runs.get(run);
  if (receipts === undefined) runs.set(run, (receipts = { receivedAt: new Map(), repeats: 0 }));
  return receipts;
}

/** Records a receipt by run and webhook, which the item's id names: `<run>/<index of the webhook>/<number>`. */
function recordReceipt(itemId: string, at: number): void {
  const run = itemId.slice(0, itemId.lastIndexOf('/'));
  const receipts = receiptsOf(run);
  if (receipts.receivedAt.has(itemId)) receipts.repeats += 1;
  else receipts.receivedAt.set(itemId, at);
  const waiter = waiting.get(run);
  if (waiter && receipts.receivedAt.size >= waiter.count) waiter.resolve(receipts);
}

function receive(request: IncomingMessage, response: ServerResponse, answer: () => Answer): void {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    const at = now();
    const status = answer();
    if (status !== null) response.writeHead(status).end();
    recordReceipt((JSON.parse(Buffer.concat(parts).toString()) as { item: { id: string } }).item.id, at);
  });
}

async function open(addresses: number): Promise<number[]> {
  for (let n = 0; n < addresses; n += 1) {
    const entry = { server: createServer({ key: PEM, cert: PEM }), answer: 200 as Answer };
    entry.server.on('request', (request, response) => receive(request, response, () => entry.answer));
    await new Promise<void>((resolve) => entry.server.listen(0, '127.0.0.1', resolve));
    servers.push(entry);
  }
  return servers.map(({ server }) => (server.address() as AddressInfo).port);
}

/** Sets the answer from now on; hanging requests are aborted, so that none are left over. */
function setAnswer(address: number, answer: Answer): void {
  const entry = servers[address];
  if (entry === undefined) throw new RangeError(`there is no address ${address}`);
  if (entry.answer === null) entry.server.closeAllConnections();
  entry.answer = answer;
}

/** Returns the receipts as soon as there are `count` items or the patience runs out. */
function collect(run: string, count: number, patienceMs: number): Promise<Receipts> {
  const receipts = receiptsOf(run);
  if (receipts.receivedAt.size >= count) return Promise.resolve(receipts);
  return new Promise((resolve) => {
    setTimeout(() => resolve(receipts), patienceMs).unref();
    waiting.set(run, { count, resolve });
  });
}

async function handleCommand(order: Command): Promise<Reply> {
  if (order.ask === 'open') return open(order.addresses);
  if (order.ask === 'collect') return collect(order.run, order.count, order.patienceMs);
  setAnswer(order.address, order.answer);
  return null;
}

process.on('message', ({ id, order }: { id: number; order: Command }) => {
  void handleCommand(order).then((reply) => process.send?.({ id, reply }));
});
process.on('disconnect', () => process.exit());
