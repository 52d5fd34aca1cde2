/**
 * The seven documented codes of a failed attempt, as the journal stores them, each from a receiver that causes it.
 */
import { createServer, type AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Lanes, LanesDeps } from '../../../loops/delivery/lanes.ts';
import { DELIVERY_ERROR_CODES } from '../../../domain/webhooks/deliveryStates.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import {
  addProject,
  addWebhook,
  deliveriesUntil,
  recordEvent,
  startTestLanes,
} from '../../support/webhooks/webhooks.ts';
import {
  answer,
  atEnd,
  cleanUp,
  closedPort,
  startAgent,
  startClosedAgent,
  startHttps,
  startRawTls,
  startTcp,
} from '../../platform/outgoing/support/servers.ts';
import { ATTEMPT_DEADLINE_MS } from '../../../loops/delivery/attempt.ts';

/** The receiver's text, which the service must not repeat. */
const TOLD = 'told-by-the-receiver';

let database: TestDatabase;
let lanes: Lanes | undefined;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterEach(async () => {
  await lanes?.close();
  lanes = undefined;
  await cleanUp();
  await database.pool.query('delete from webhooks');
});
afterAll(() => database.drop());

type Outcome = {
  status: string;
  error_code: string | null;
  response_status: number | null;
  error: string | null;
  duration_ms: number;
};

/** Returns the attempt and the delivery's row, which must agree. */
async function attempt(url: string, options: Partial<LanesDeps> = {}): Promise<Outcome> {
  const webhook = await addWebhook(database.pool, await addProject(database.pool), url);
  lanes = startTestLanes(database, options);
  await recordEvent(database.pool, webhook.projectId, 'item-1');
  const [row] = await deliveriesUntil(database.pool, webhook, ([each]) => each?.attempt === 1);
  const { rows } = await database.pool.query<Outcome>(
    'select error_code, response_status, error, duration_ms from delivery_attempts where project_id = $1 and delivery_id = $2',
    [webhook.projectId, row?.id],
  );
  const { error_code, response_status, error } = row ?? {};
  expect(rows).toMatchObject([{ error_code, response_status, error }]);
  return { status: row?.status ?? '', ...rows[0] } as Outcome;
}

const nameOf = (port: number): string => `https://receiver.test:${port}/hook`;
const unknownName = (): Promise<string[]> =>
  Promise.reject(Object.assign(new Error(`queryA ENOTFOUND ${TOLD}`), { code: 'ENOTFOUND' }));

type Case = [
  code: string,
  how: string,
  phrase: string,
  status: number | null,
  make: () => Promise<[url: string, options?: Partial<LanesDeps>]>,
];

const CASES: Case[] = [
  // proves: webhook-retries/timeout
  [
    'timeout',
    'takes the request and never answers',
    'полный ответ не пришёл вовремя',
    null,
    async () => [nameOf((await startHttps(() => undefined)).port), { deadlineMs: 300 }],
  ],
  [
    'timeout',
    'never ends the body of its 200',
    'полный ответ не пришёл вовремя',
    null,
    async () => [
      nameOf((await startHttps((_request, response) => void response.writeHead(200).write(TOLD))).port),
      { deadlineMs: 1_000 },
    ],
  ],
  // proves: webhook-retries/connection
  [
    'connection',
    'refuses the connection',
    'соединение не установлено или прервалось: ECONNREFUSED',
    null,
    async () => [nameOf(await closedPort())],
  ],
  [
    'connection',
    'breaks the connection in the middle of its answer',
    'соединение не установлено или прервалось: UND_ERR_SOCKET',
    null,
    async () => [
      nameOf(
        (await startRawTls((socket) => socket.once('data', () => socket.end(`HTTP/1.1 200 OK\r\nX: ${TOLD}\r\n`))))
          .port,
      ),
    ],
  ],
  // proves: webhook-retries/tls
  [
    'tls',
    'has an expired certificate',
    'защищённое соединение не установлено: срок действия сертификата истёк',
    null,
    async () => [nameOf((await startHttps((_request, response) => response.end(), 'expired.pem')).port)],
  ],
  [
    'tls',
    'has a certificate for another name',
    'защищённое соединение не установлено: сертификат выдан другому имени узла',
    null,
    async () => [`https://other.test:${(await startHttps((_request, response) => response.end())).port}/`],
  ],
  [
    'tls',
    'speaks no TLS',
    'защищённое соединение не установлено: ERR_SSL_WRONG_VERSION_NUMBER',
    null,
    async () => [nameOf((await startTcp((socket) => socket.end(`HTTP/1.1 400 ${TOLD}\r\n\r\n`))).port)],
  ],
  // proves: webhook-retries/dns
  [
    'dns',
    'has a name that does not resolve',
    'имя узла не разрешается: ENOTFOUND',
    null,
    async () => ['https://receiver.test/', { agent: startAgent({ resolve: unknownName }) }],
  ],
  [
    'dns',
    'has a name without addresses',
    'имя узла не разрешается',
    null,
    async () => ['https://receiver.test/', { agent: startAgent({ resolve: answer([]) }) }],
  ],
  // proves: webhook-retries/http_status
  [
    'http_status',
    'answers 503',
    'неожиданный код ответа: 503',
    503,
    async () => [
      nameOf(
        (
          await startHttps((_request, response) =>
            response.writeHead(503, TOLD, { 'retry-after': '1', [TOLD]: TOLD }).end(TOLD),
          )
        ).port,
      ),
    ],
  ],
  [
    'http_status',
    'answers 410',
    'неожиданный код ответа: 410',
    410,
    async () => [nameOf((await startHttps((_request, response) => response.writeHead(410).end(TOLD))).port)],
  ],
  // proves: webhook-retries/redirect
  [
    'redirect',
    'redirects to an internal address',
    'ответ оказался перенаправлением: 302',
    302,
    async () => [
      nameOf(
        (
          await startHttps((_request, response) =>
            response.writeHead(302, { location: `https://169.254.169.254/${TOLD}` }).end(),
          )
        ).port,
      ),
    ],
  ],
  // proves: webhook-retries/forbidden_address
  [
    'forbidden_address',
    'has a name that resolves to an internal address',
    'адрес запрещён',
    null,
    async () => [
      nameOf((await startHttps((_request, response) => response.end(TOLD))).port),
      { agent: startClosedAgent({ resolve: answer('127.0.0.1') }) },
    ],
  ],
];

describe('a failed attempt', () => {
  it.each(CASES)('is %s when the receiver %s', async (code, _how, phrase, status, make) => {
    const [url, options] = await make();
    const outcome = await attempt(url, { agent: startAgent(), ...options });
    expect(outcome).toMatchObject({ status: 'pending', error_code: code, error: phrase, response_status: status });
    expect(JSON.stringify(outcome)).not.toContain(TOLD);
  });

  it('is tested for each documented code', () => {
    expect([...new Set(CASES.map(([code]) => code))].sort()).toEqual([...DELIVERY_ERROR_CODES].sort());
  });

  // proves: webhook-retries/1, webhook-retries/timeout
  it('is a timeout after the documented 10 seconds, not before', async () => {
    const outcome = await attempt(nameOf((await startHttps(() => undefined)).port), { agent: startAgent() });
    expect(outcome.error_code).toBe('timeout');
    expect(outcome.duration_ms).toBeGreaterThanOrEqual(9_990); // a timer may fire a little early
    expect(ATTEMPT_DEADLINE_MS).toBe(10_000);
  });
});

describe('the answer of a refused address', () => {
  /** The answer, and the absence of packets, must not reveal whether anything listens there. */
  // proves: webhook-retries/forbidden_address
  it('is the same whether the internal port is open, closed or silent', async () => {
    const open = await startHttps((_request, response) => response.end());
    const silent = createServer().listen(0, '127.0.0.1');
    atEnd(() => new Promise((resolve) => silent.close(resolve)));
    await new Promise((resolve) => silent.once('listening', resolve));
    let connections = 0;
    silent.on('connection', () => (connections += 1));
    const ports = [open.port, await closedPort(), (silent.address() as AddressInfo).port];
    const outcomes: unknown[] = [];
    for (const port of ports) {
      const { duration_ms: _time, ...outcome } = await attempt(nameOf(port), {
        agent: startClosedAgent({ resolve: answer('127.0.0.1') }),
      });
      outcomes.push(outcome);
      await lanes?.close();
    }
    expect(outcomes).toEqual(Array.from({ length: 3 }, () => outcomes[0]));
    expect([open.connections, connections]).toEqual([0, 0]);
  });
});
