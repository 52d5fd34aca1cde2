/**
 * A server with the OpenAI interface for tests. It validates requests as strictly as the real one (and answers 400,
 * recording the fault in `violations`), answers plausibly by default, and follows scripts: delays, error codes,
 * broken bodies, stalls.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerChat, answerEmbeddings, answerModerations, answerSpeech } from './openaiAnswers.ts';
import { checkChat, checkEmbeddings, checkModerations, checkSpeech } from './openaiChecks.ts';

export type Endpoint = '/chat/completions' | '/embeddings' | '/moderations' | '/audio/transcriptions' | '/models';

export interface Received {
  endpoint: string;
  authorization: string | undefined;
  /** The JSON body, or null. */
  body: unknown;
  /** The multipart body, or null. */
  form: FormData | null;
}

export interface Reply {
  status?: number;
  headers?: Record<string, string>;
  /** Sent as JSON; `raw` is sent unchanged. */
  json?: unknown;
  raw?: string;
  /** `headers`: never answers. `body`: sends the headers and half a body, then nothing. */
  stall?: 'headers' | 'body';
  /** Closes the connection without an answer, like a server that crashes. */
  isCrash?: boolean;
}

/** @param index how many requests this endpoint had before; undefined as the result gives the default answer */
export type Script = (request: Received, index: number) => Reply | undefined | Promise<Reply | undefined>;

export interface OpenAiServer {
  baseUrl: string;
  requests: Received[];
  /** Faults for which a real server would have refused a request. Tests expect this to be empty. */
  violations: string[];
  script(endpoint: Endpoint, script: Script): void;
  /** Resolves when a request that was not awaited before has fully arrived. */
  nextRequest(): Promise<Received>;
  /** Resolves when the client has closed a connection whose request was stalled. */
  nextHangUp(): Promise<void>;
  close(): Promise<void>;
}

/** @param apiKey required in the Authorization header; with null the header must be absent */
export async function startOpenAiServer(apiKey: string | null = 'test-key'): Promise<OpenAiServer> {
  const requests: Received[] = [];
  const violations: string[] = [];
  const scripts = new Map<string, Script>();
  const arrivals = createQueue<Received>();
  const hangUps = createQueue<void>();

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const received = await receive(request);
    const index = requests.filter((earlier) => earlier.endpoint === received.endpoint).length;
    requests.push(received);
    arrivals.put(received);
    const expected = apiKey === null ? undefined : `Bearer ${apiKey}`;
    const complaints = [
      ...(received.authorization === expected ? [] : ['wrong Authorization']),
      ...(await check(received)),
    ];
    violations.push(...complaints.map((complaint) => `${received.endpoint}: ${complaint}`));
    const refusal: Reply = {
      status: 400,
      json: { error: { message: complaints.join(), type: 'invalid_request_error', code: 'check_failed' } },
    };
    const scripted = await scripts.get(received.endpoint)?.(received, index);
    const reply = complaints.length > 0 ? refusal : (scripted ?? { json: await defaultAnswer(received) });
    if (reply.stall) response.once('close', () => hangUps.put());
    send(response, reply, requests.length);
  }

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      violations.push(`the test server failed: ${String(error)}`);
      response.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests,
    violations,
    script: (endpoint, script) => void scripts.set(endpoint, script),
    nextRequest: () => arrivals.take(),
    nextHangUp: () => hangUps.take(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function receive(request: IncomingMessage): Promise<Received> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  const type = request.headers['content-type'] ?? '';
  const form = type.startsWith('multipart/')
    ? await new Response(bytes, { headers: { 'content-type': type } }).formData()
    : null;
  const body: unknown = form ? null : JSON.parse(bytes.toString() || 'null');
  return {
    endpoint: (request.url ?? '').replace(/^\/v1/, ''),
    authorization: request.headers.authorization,
    body,
    form,
  };
}

async function check(received: Received): Promise<string[]> {
  if (received.endpoint === '/chat/completions') return checkChat(received.body);
  if (received.endpoint === '/embeddings') return checkEmbeddings(received.body);
  if (received.endpoint === '/moderations') return checkModerations(received.body);
  if (received.endpoint === '/audio/transcriptions') return checkSpeech(received.form);
  if (received.endpoint === '/models') return [];
  return ['no such endpoint'];
}

async function defaultAnswer(received: Received): Promise<unknown> {
  if (received.endpoint === '/chat/completions') return answerChat(received.body);
  if (received.endpoint === '/embeddings') return answerEmbeddings(received.body);
  if (received.endpoint === '/moderations') return answerModerations(received.body);
  if (received.endpoint === '/models') return { object: 'list', data: [] };
  return answerSpeech(received.form);
}

function send(response: ServerResponse, reply: Reply, number: number): void {
  if (reply.stall === 'headers') return;
  if (reply.isCrash) {
    response.destroy();
    return;
  }
  response.writeHead(reply.status ?? 200, {
    'content-type': 'application/json',
    'x-request-id': `req-${number}`,
    ...reply.headers,
  });
  if (reply.stall === 'body') response.write('{"data": [');
  else response.end(reply.raw ?? JSON.stringify(reply.json));
}

/** Creates a FIFO queue whose `take` waits when it is empty. */
function createQueue<T>() {
  const values: T[] = [];
  const takers: ((value: T) => void)[] = [];
  return {
    put(value: T): void {
      const taker = takers.shift();
      if (taker) taker(value);
      else values.push(value);
    },
    take(): Promise<T> {
      if (values.length > 0) return Promise.resolve(values.shift() as T);
      return new Promise((resolve) => takers.push(resolve));
    },
  };
}
