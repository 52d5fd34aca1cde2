import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { IncomingMessage, Server } from 'node:http';
import { RANK_PATH, writeQuestion } from '../../../output/messages/selectionMessages.ts';
import type { Catalogue } from '../../../output/selection/catalogue/catalogue.ts';
import type { Catalogues, CatalogueLookup } from '../../../output/selection/upkeep/catalogues.ts';
import type { Searcher } from '../../../output/search/searcher.ts';
import { createSelectionServer } from '../../../output/selection/server.ts';
import { createLogger } from '../../../platform/process/logger.ts';
import { catalogueOf, change, placedAt, similarTo } from '../support/catalogues.ts';

const items = [change('subject', { placed: placedAt(0) }), change('near', { placed: placedAt(10) })];
let server: Server;
afterEach(() => new Promise((resolve) => void server.close(resolve)));

/** @param busyMs how long each ranking takes */
async function start(
  found: (asked: number) => CatalogueLookup,
  busyMs = 0,
  limits: { maxWaiting?: number; maxHeldBytes?: number } = {},
) {
  const outcomes: string[] = [];
  const completed: string[] = [];
  let asked = 0;
  const catalogues = {
    find() {
      const until = performance.now() + busyMs;
      while (performance.now() < until);
      asked += 1;
      return found(asked);
    },
    readNewProperties: (projectId: string) => void completed.push(projectId),
    prepare: () => Promise.resolve(),
  };
  server = createSelectionServer({
    catalogues: catalogues as unknown as Catalogues,
    catchUp: { prepare: () => Promise.resolve() },
    searcher: {} as unknown as Searcher,
    logger: createLogger('selection', 'silent'),
    ...limits,
    onAnswer: (outcome) => void outcomes.push(outcome),
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${RANK_PATH}`;
  const ask = (msLeft: number) =>
    fetch(url, { method: 'POST', body: writeQuestion({ ...similarTo('subject'), msLeft }) });
  return { ask, outcomes, completed, url };
}

/**
 * Sends questions that all arrive before the first is processed. @returns a socket and its answer's status for each
 */
async function askTogether(url: string, waits: readonly number[]) {
  const { port, pathname } = new URL(url);
  const sockets: Socket[] = [];
  for (const _ of waits) {
    const accepted = once(server, 'connection');
    const socket = connect(Number(port), '127.0.0.1');
    await Promise.all([once(socket, 'connect'), accepted]);
    sockets.push(socket);
  }
  return sockets.map((socket, at) => {
    const body = writeQuestion({ ...similarTo('subject'), msLeft: waits[at] ?? 0 });
    socket.write(
      `POST ${pathname} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    );
    const status = once(socket, 'data').then(([data]) => Number(String(data).split(' ')[1]));
    return { socket, status };
  });
}

/** Sends the head of a request and the beginning of its body. */
async function beginQuestion(url: string, length: number, beginning: string) {
  const { port, pathname } = new URL(url);
  const received = once(server, 'request') as Promise<[IncomingMessage]>;
  const socket = connect(Number(port), '127.0.0.1');
  socket.write(`POST ${pathname} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: ${length}\r\n\r\n`);
  socket.write(beginning);
  const [request] = await received;
  const closed = new Promise((resolve) => void request.once('close', resolve));
  const status = once(socket, 'data').then(([data]) => Number(String(data).split(' ')[1]));
  status.catch(() => {});
  return { socket, status, closed };
}

const whole = (): Catalogue => catalogueOf(items);

describe('a question to selection', () => {
  it('is ranked', async () => {
    const { ask } = await start(whole);
    const answer = await ask(10_000);
    expect([answer.status, await answer.json()]).toMatchObject([200, { ranked: [{ id: 'near' }], isAll: true }]);
  });

  // proves: output-limits/300-ms
  it('is not ranked if its sender no longer waits, or has gone', async () => {
    const { url, outcomes } = await start(whole, 150);
    const [first, late, gone, last] = await askTogether(url, [10_000, 100, 10_000, 10_000]);
    gone?.status.catch(() => {});
    gone?.socket.destroy();
    expect(await Promise.all([first, late, last].map((one) => one?.status))).toEqual([200, 503, 200]);
    expect(outcomes).toEqual(['ranked', 'late', 'gone', 'ranked']);
  });

  it('is refused at once while too many wait', async () => {
    const { url, outcomes } = await start(whole, 20, { maxWaiting: 2 });
    const asked = await askTogether(url, [10_000, 10_000, 10_000, 10_000]);
    expect(await Promise.all(asked.map(({ status }) => status))).toEqual([200, 200, 503, 503]);
    expect(outcomes).toEqual(['busy', 'busy', 'ranked', 'ranked']);
  });

  it('is refused unread if too many wait already', async () => {
    const { url } = await start(whole, 0, { maxWaiting: 0 });
    const { socket, status } = await beginQuestion(url, 1_000, '{');
    expect(await status).toBe(503);
    socket.destroy();
  });

  it('is refused at once, unread, while others that are being read fill the memory', async () => {
    const body = writeQuestion({ ...similarTo('subject'), msLeft: 60_000 });
    const { ask, url, outcomes } = await start(whole, 0, { maxHeldBytes: 1.5 * body.length });
    const half = Math.floor(body.length / 2);
    const first = await beginQuestion(url, body.length, body.slice(0, half));
    expect((await ask(60_000)).status).toBe(503);
    first.socket.write(body.slice(half));
    expect(await first.status).toBe(200);
    const abandoned = await beginQuestion(url, body.length, body.slice(0, half));
    abandoned.socket.destroy();
    await abandoned.closed;
    expect((await ask(60_000)).status).toBe(200);
    expect(outcomes).toEqual(['busy', 'ranked', 'ranked']);
  });

  it('is refused unread if it is longer than a question can be', async () => {
    const { url, outcomes } = await start(whole);
    const { socket, status } = await beginQuestion(url, 65 * 1024 * 1024, '{');
    expect(await status).toBe(400);
    socket.destroy();
    expect(outcomes).toEqual(['refused']);
  });

  it('is answered 503 while its catalogue or the filtered property is loading', async () => {
    const filters = [{ property: 'level', op: 'eq', type: 'number', operands: [1], isWanted: true }] as const;
    const { ask, outcomes, completed, url } = await start((asked) => (asked === 1 ? 'loading' : whole()));
    expect((await ask(10_000)).status).toBe(503);
    const question = similarTo('subject');
    const body = writeQuestion({ ...question, rules: { ...question.rules, filters }, msLeft: 10_000 });
    expect((await fetch(url, { method: 'POST', body })).status).toBe(503);
    expect([outcomes, completed]).toEqual([['loading', 'loading'], ['p']]);
  });

  // proves: search/include_seen
  it('may name as many met items as there can be, however long their ids', async () => {
    const { outcomes, url } = await start(whole);
    const met = Array.from({ length: 50_000 }, (_, n) => `${n}${'💿'.repeat(191 - 5)}`);
    const body = writeQuestion({ ...similarTo('subject'), passedOver: met, msLeft: 10_000 });
    expect((await fetch(url, { method: 'POST', body })).status).toBe(200);
    expect(outcomes).toEqual(['ranked']);
  });

  it('is well formed, or is refused', async () => {
    const { outcomes, url } = await start(whole);
    expect((await fetch(url, { method: 'POST', body: '{' })).status).toBe(400);
    expect((await fetch(url)).status).toBe(404);
    expect(outcomes).toEqual(['refused']);
  });
});
