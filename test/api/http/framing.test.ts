/** Requests with an ambiguous length: none is served, and none hides a second request. */
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from '@jest/globals';
import { stageApi } from '../support/stageApi.ts';
import { createTestProject, startTestApi } from '../support/testApi.ts';

const stage = stageApi();

/** Sends exactly these bytes and returns everything that is received. */
async function exchange(bytes: string): Promise<string> {
  const socket = connect(Number(new URL(stage.api.origin).port), '127.0.0.1').on('error', () => {});
  socket.end(bytes);
  return text(socket);
}

const HIDDEN = 'DELETE /content/api/v1/items/hidden HTTP/1.1\r\nHost: a\r\n\r\n';
const BODY = '{"type":"text","title":"a"}';

describe('a request of ambiguous length', () => {
  it.each<[string, string[], string]>([
    [
      'Content-Length beside Transfer-Encoding',
      ['Content-Length: 6', 'Transfer-Encoding: chunked'],
      `0\r\n\r\n${HIDDEN}`,
    ],
    [
      'Transfer-Encoding before Content-Length',
      ['Transfer-Encoding: chunked', 'Content-Length: 6'],
      `0\r\n\r\n${HIDDEN}`,
    ],
    ['two Content-Lengths that differ', [`Content-Length: ${BODY.length}`, 'Content-Length: 0'], BODY + HIDDEN],
    ['two Content-Lengths that agree', [`Content-Length: ${BODY.length}`, `Content-Length: ${BODY.length}`], BODY],
    ['a list of Content-Lengths', [`Content-Length: ${BODY.length}, ${BODY.length}`], BODY],
    ['a Content-Length with a sign', [`Content-Length: +${BODY.length}`], BODY],
    [
      'a Transfer-Encoding that does not end with chunked',
      ['Transfer-Encoding: chunked, identity'],
      `0\r\n\r\n${HIDDEN}`,
    ],
    ['a folded Transfer-Encoding', ['Transfer-Encoding:', ' chunked', 'Content-Length: 5'], `0\r\n\r\n${HIDDEN}`],
    ['a folded header', ['X-A: one', ' two', `Content-Length: ${BODY.length}`], BODY],
    ['a space before the colon', [`Content-Length : ${BODY.length}`], BODY],
    ['a bare line feed between headers', ['X-A: one\nX-B: two', `Content-Length: ${BODY.length}`], BODY],
  ])('(%s) gets 400 once, and the rest is not read as a request', async (_what, headers, rest) => {
    const { id, key } = await createTestProject(stage.database.pool);
    const head = ['PUT /content/api/v1/items/a HTTP/1.1', 'Host: a', `Authorization: Bearer ${key}`];
    const answer = await exchange([...head, 'Content-Type: application/json', ...headers, '', rest].join('\r\n'));
    expect(answer.match(/HTTP\/1\.1 \d{3}/g)).toEqual(['HTTP/1.1 400']);
    expect(answer).toMatch(/\r\nConnection: close\r\n/i);
    expect(answer).toContain('"invalid_request"');
    const { rows } = await stage.database.pool.query('select from items where project_id = $1', [id]);
    expect(rows).toHaveLength(0);
  });

  it('with a malformed chunk size loses its connection, and stores nothing', async () => {
    const { id, key } = await createTestProject(stage.database.pool);
    const head = ['PUT /content/api/v1/items/a HTTP/1.1', 'Host: a', `Authorization: Bearer ${key}`];
    const rest = ['Content-Type: application/json', 'Transfer-Encoding: chunked', '', `x\r\n${BODY}\r\n0\r\n\r\n`];
    expect(await exchange([...head, ...rest].join('\r\n'))).not.toContain('HTTP/1.1 2');
    const { rows } = await stage.database.pool.query('select from items where project_id = $1', [id]);
    expect(rows).toHaveLength(0);
  });
});

describe('a body that trickles endlessly', () => {
  it.each([
    ['of a known length', 'Content-Length: 1000', 'x'],
    ['in chunks', 'Transfer-Encoding: chunked', '1\r\nx\r\n'],
  ])(
    '(%s) gets 408 when its time is up, although it is never silent, and its connection ends',
    async (_what, header, drop) => {
      const { key } = await createTestProject(stage.database.pool);
      const bodyLimits = { maxBytes: 1000, silenceMs: 60_000, totalMs: 500 };
      const api = await startTestApi({ databaseUrl: stage.database.url, bodyLimits });
      const socket = connect(Number(new URL(api.origin).port), '127.0.0.1').on('error', () => {});
      const head = ['PUT /content/api/v1/items/a HTTP/1.1', 'Host: a', `Authorization: Bearer ${key}`];
      socket.write([...head, 'Content-Type: application/json', header, '', ''].join('\r\n'));
      const drip = setInterval(() => socket.write(drop), 20);
      let answer = '';
      socket.on('data', (data) => (answer += data.toString()));
      await new Promise((resolve) => socket.on('close', resolve));
      clearInterval(drip);
      await api.close();
      expect(answer).toMatch(/^HTTP\/1\.1 408 /);
      expect(answer).toMatch(/\r\nConnection: close\r\n/i);
    },
  );
});
