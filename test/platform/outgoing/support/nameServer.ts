/** A DNS server on loopback that knows a few names: enough of RFC 1035 for A and AAAA queries. */
import { createSocket, type Socket } from 'node:dgram';
import { isIPv4 } from 'node:net';
import { atEnd } from './servers.ts';

const TYPE_A = 1;
const TYPE_AAAA = 28;
const NO_SUCH_NAME = 3;

/**
 * The addresses of a name; `refuse` fails AAAA queries, `silent` never answers them. With `turns` each A query gets
 * the next entry instead, and then the last one repeatedly.
 */
export interface Zone {
  readonly [name: string]: { addresses: string[]; aaaa?: 'refuse' | 'silent'; turns?: string[][] };
}

export interface NameServer {
  readonly address: string;
  readonly questions: string[];
}

export async function startNameServer(zone: Zone): Promise<NameServer> {
  const socket = createSocket('udp4');
  const questions: string[] = [];
  const asked = (name: string): number => questions.filter((question) => question === `${name} A`).length;
  socket.on('message', (query, from) => {
    const { name, type, end } = readQuestion(query);
    questions.push(`${name} ${type === TYPE_A ? 'A' : 'AAAA'}`);
    const entry = zone[name];
    if (type === TYPE_AAAA && entry?.aaaa === 'silent') return;
    const turn = type === TYPE_A ? entry?.turns?.[Math.min(asked(name) - 1, entry.turns.length - 1)] : undefined;
    const addresses = (turn ?? entry?.addresses)?.filter((ip) => isIPv4(ip) === (type === TYPE_A)) ?? [];
    const fault = entry === undefined ? NO_SUCH_NAME : type === TYPE_AAAA && entry.aaaa === 'refuse' ? 5 : 0;
    socket.send(reply(query.subarray(0, end), type, addresses, fault), from.port, from.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  atEnd(() => new Promise<void>((resolve) => socket.close(resolve)));
  return { address: addressOf(socket), questions };
}

function addressOf(socket: Socket): string {
  return `127.0.0.1:${socket.address().port}`;
}

function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

/** Returns the query followed by one record for each address. */
function reply(question: Buffer, type: number, addresses: string[], fault: number): Buffer {
  const head = Buffer.from(question);
  head.writeUInt16BE(0x8180 | fault, 2); // an answer, recursion available
  head.writeUInt16BE(addresses.length, 6);
  head.writeUInt32BE(0, 8); // no further sections
  return Buffer.concat([head, ...addresses.map((ip) => record(type, ip))]);
}

function record(type: number, ip: string): Buffer {
  const data = isIPv4(ip)
    ? Buffer.from(ip.split('.').map(Number))
    : Buffer.from(ip.split(':').flatMap((group) => [parseInt(group, 16) >> 8, parseInt(group, 16) & 255]));
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc00c, 0); // the name: see byte 12
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt32BE(0, 6); // TTL 0: never cached
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}
