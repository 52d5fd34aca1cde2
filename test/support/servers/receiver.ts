/** A webhook receiver: HTTPS on loopback that records requests and answers as the test decides. */
import { createHmac } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { startHttps } from '../../platform/outgoing/support/servers.ts';

export interface ReceivedRequest {
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
  deliveryId: string;
  /** performance.now() at the end of the body. */
  at: number;
}

/** Answers one request; `count` is its number, from 1. */
export type Answer = (response: ServerResponse, request: ReceivedRequest, count: number) => void;

export interface Receiver {
  readonly url: string;
  readonly requests: ReceivedRequest[];
  /** Maximum number of concurrent requests so far. */
  readonly mostAtOnce: number;
  /** The answer to requests from now on. */
  answer: Answer;
  /** Resolves when `count` requests have arrived. */
  received(count: number): Promise<ReceivedRequest[]>;
}

export const answerWith =
  (status: number): Answer =>
  (response) =>
    void response.writeHead(status).end();

/**
 * Starts a receiver, which stops with the other test servers: call `cleanUp` of
 * test/platform/outgoing/support/servers.ts in afterEach.
 */
export async function startReceiver(answer: Answer = answerWith(200)): Promise<Receiver> {
  const requests: ReceivedRequest[] = [];
  const waiters: { count: number; resolve(requests: ReceivedRequest[]): void }[] = [];
  let atOnce = 0;
  let mostAtOnce = 0;
  const server = await startHttps(async (incoming, response) => {
    atOnce += 1;
    mostAtOnce = Math.max(mostAtOnce, atOnce);
    response.on('close', () => {
      atOnce -= 1;
    });
    const request = await read(incoming);
    requests.push(request);
    receiver.answer(response, request, requests.length);
    for (const waiter of waiters) if (requests.length >= waiter.count) waiter.resolve(requests);
  });
  const receiver = {
    url: `https://127.0.0.1:${server.port}/hook`,
    requests,
    answer,
    get mostAtOnce() {
      return mostAtOnce;
    },
    received: (count: number) =>
      new Promise<ReceivedRequest[]>((resolve) => {
        if (requests.length >= count) return resolve(requests);
        waiters.push({ count, resolve });
      }),
  };
  return receiver;
}

async function read(incoming: IncomingMessage): Promise<ReceivedRequest> {
  const chunks: Buffer[] = await incoming.toArray();
  const body = Buffer.concat(chunks).toString('utf8');
  return {
    url: incoming.url ?? '',
    headers: incoming.headers,
    body,
    deliveryId: String(incoming.headers['x-core-delivery']),
    at: performance.now(),
  };
}

/** Verifies a request's signature as the API's document describes to integrators, without the product's code. */
export function isSignedBy(request: ReceivedRequest, secret: string): boolean {
  const signed = `${String(request.headers['x-core-timestamp'])}.${request.body}`;
  return request.headers['x-core-signature'] === `sha256=${createHmac('sha256', secret).update(signed).digest('hex')}`;
}
