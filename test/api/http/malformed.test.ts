/** A request whose head never arrives in full. */
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, it } from '@jest/globals';
import { answerMalformedRequests } from '../../../api/http/malformed.ts';
import { createLogger } from '../../../platform/process/logger.ts';

it('a head that stops arriving gets 408 request_timeout, like a body that stops', async () => {
  const server = createServer({ headersTimeout: 100, connectionsCheckingInterval: 50 });
  answerMalformedRequests(server, createLogger('api', 'silent'));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  try {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.write('GET /content/api/v1/health HTTP/1.1\r\nHost: a\r\n');
    const answer = await text(socket);
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(answer).toMatch(/\r\nX-Request-ID: [0-9a-f-]{36}\r\n/);
    expect(answer).toContain('"code":"request_timeout"');
  } finally {
    server.close();
  }
});
