/** Hundreds of clients that send a byte every five seconds: nobody else has to wait because of them. */
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import {
  askWithKey,
  figure,
  unexpectedAnswers,
  FLOODER,
  healthFigures,
  NEIGHBOUR,
  watchHealth,
  type Probe,
} from './probe.ts';
import { latencyPercentile, watch } from './watch.ts';

const CLIENTS = 200;
const BYTE_EVERY_MS = 5_000;
/** Headers have 15 s, and Node checks every 30 s. */
const HEADERS_END_WITHIN_SECONDS = 50;
const WITH_KEY_PER_SECOND = 5;
/** The documented number of concurrent requests per address. */
const SIMULTANEOUS = 50;

interface SlowClient {
  /** Returns what the server has sent so far. */
  answer(): string;
  isOpen(): boolean;
  end(): void;
}

export const probeSlowClients: Probe = async (stage) => {
  const openMany = (head: readonly string[], byte: string): SlowClient[] =>
    Array.from({ length: CLIENTS }, () => openSlow(stage.port, head.join('\r\n'), byte));
  const ownKey = await stage.addProject();
  const health = watchHealth(stage);
  const neighbour = watch(WITH_KEY_PER_SECOND, () => askWithKey(stage, NEIGHBOUR));
  const headers = openMany([...headOf('GET /content/api/v1/event-types', ownKey), 'X-Slow: '], 'x');
  const bodies = openMany(slowBodyOf('PUT /content/api/v1/items/slow', ownKey), ' ');
  const hits = openMany(slowBodyOf('POST /collect', ownKey), ' ');
  await pause(HEADERS_END_WITHIN_SECONDS * 1_000);
  const [healthSeen, neighbourSeen] = await Promise.all([health.stop(), neighbour.stop()]);
  const open = (clients: readonly SlowClient[]): number => clients.filter((client) => client.isOpen()).length;
  const refused = bodies.filter((client) => client.answer().startsWith('HTTP/1.1 429 ')).length;
  const figures = [
    figure('slow headers, open after 50 s', open(headers), '', '<= 0'),
    figure('slow bodies of one address, refused with 429', refused, '', `>= ${CLIENTS - SIMULTANEOUS}`),
    figure('slow bodies of /collect, open after 50 s', open(hits), '', '<= 0'),
    unexpectedAnswers('valid key, another address', [200], neighbourSeen.statuses),
    figure('valid key, another address, p99', latencyPercentile(99, neighbourSeen), 'ms'),
    ...healthFigures(healthSeen),
  ];
  for (const client of [...headers, ...bodies, ...hits]) client.end();
  return figures;
};

const headOf = (line: string, key: string): string[] => [
  `${line} HTTP/1.1`,
  'Host: attune',
  `X-Forwarded-For: ${FLOODER}`,
  `Authorization: Bearer ${key}`,
];

const slowBodyOf = (line: string, key: string): string[] => [
  ...headOf(line, key),
  'Content-Type: application/json',
  'Content-Length: 1000',
  '',
  '',
];

function openSlow(port: number, head: string, byte: string): SlowClient {
  const socket = connect(port, '127.0.0.1');
  let answer = '';
  socket
    .on('data', (part: Buffer) => (answer += part.toString()))
    .on('error', () => {})
    .write(head);
  const drip = setInterval(() => socket.write(byte), BYTE_EVERY_MS);
  socket.on('close', () => clearInterval(drip));
  return { answer: () => answer, isOpen: () => !socket.closed, end: () => void socket.destroy() };
}
