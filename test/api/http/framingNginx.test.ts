/** The ambiguous requests of framing.test.ts, through nginx as docs/installation.md configures it. */
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { connect, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findNginx, startNginx, type Nginx } from '../../support/servers/nginx.ts';
import { stageApi } from '../support/stageApi.ts';
import { createTestProject } from '../support/testApi.ts';

const program = await findNginx();
const describeWithNginx = 'path' in program ? describe : describe.skip;
const PEM = join(import.meta.dirname, '../../platform/outgoing/fixtures/good.pem');
const HIDDEN = 'DELETE /content/api/v1/items/hidden HTTP/1.1\r\nHost: a\r\n\r\n';
const BODY = '{"type":"text","title":"a"}';

describeWithNginx(`nginx in front of the API${'missing' in program ? ` (${program.missing})` : ''}`, () => {
  const stage = stageApi({ env: { REQUIRE_HTTPS: 'true', TRUSTED_PROXIES: '127.0.0.1/32' } });
  let nginx: Nginx;

  beforeAll(async () => {
    if ('path' in program) nginx = await startNginx(program.path, Number(new URL(stage.api.origin).port), PEM);
  });
  afterAll(() => nginx?.stop());

  // The certificate is self-issued for tests.
  const open = (): TLSSocket =>
    connect({ port: nginx.port, host: '127.0.0.1', rejectUnauthorized: false }).on('error', () => {});

  async function exchange(bytes: string): Promise<string> {
    const socket = open();
    socket.write(bytes);
    return text(socket);
  }

  async function project(): Promise<{ id: string; head: string[] }> {
    const { id, key } = await createTestProject(stage.database.pool);
    const line = 'PUT /content/api/v1/items/a HTTP/1.1';
    const head = [line, 'Host: a', `Authorization: Bearer ${key}`, 'Content-Type: application/json'];
    return { id, head };
  }

  const stored = async (projectId: string): Promise<number> =>
    (await stage.database.pool.query('select from items where project_id = $1', [projectId])).rowCount ?? 0;

  it.each<[string, string, string[], string]>([
    [
      'Content-Length beside Transfer-Encoding',
      '400',
      ['Content-Length: 6', 'Transfer-Encoding: chunked'],
      `0\r\n\r\n${HIDDEN}`,
    ],
    ['two Content-Lengths that differ', '400', [`Content-Length: ${BODY.length}`, 'Content-Length: 0'], BODY + HIDDEN],
    [
      'two Content-Lengths that agree',
      '400',
      [`Content-Length: ${BODY.length}`, `Content-Length: ${BODY.length}`],
      BODY,
    ],
    ['a list of Content-Lengths', '400', [`Content-Length: ${BODY.length}, ${BODY.length}`], BODY],
    ['a Content-Length with a sign', '400', [`Content-Length: +${BODY.length}`], BODY],
    [
      'a Transfer-Encoding that does not end with chunked',
      '501',
      ['Transfer-Encoding: chunked, identity'],
      `0\r\n\r\n${HIDDEN}`,
    ],
    [
      'a folded Transfer-Encoding',
      '400',
      ['Transfer-Encoding:', ' chunked', 'Content-Length: 5'],
      `0\r\n\r\n${HIDDEN}`,
    ],
    ['a folded header', '400', ['X-A: one', ' two', `Content-Length: ${BODY.length}`], BODY],
    ['a space before the colon', '400', [`Content-Length : ${BODY.length}`], BODY],
  ])('refuses %s once, with %s, and the API never sees it', async (_what, status, headers, rest) => {
    const { id, head } = await project();
    const logged = stage.api.log.length;
    const answer = await exchange([...head, ...headers, '', rest].join('\r\n'));
    expect(answer.match(/HTTP\/1\.1 \d{3}/g)).toEqual([`HTTP/1.1 ${status}`]);
    expect(answer).toMatch(/\r\nConnection: close\r\n/i);
    expect(stage.api.log.slice(logged)).toEqual([]);
    expect(await stored(id)).toBe(0);
  });

  it('passes on a bare line feed between headers as two headers, with the length that it read itself', async () => {
    const { id, head } = await project();
    const headers = ['X-A: one\nX-B: two', `Content-Length: ${BODY.length}`, 'Connection: close'];
    const answer = await exchange([...head, ...headers, '', BODY].join('\r\n'));
    expect(answer.match(/HTTP\/1\.1 \d{3}/g)).toEqual(['HTTP/1.1 201']);
    expect(await stored(id)).toBe(1);
  });

  it('holds back a slow body until it is complete', async () => {
    const { id, head } = await project();
    const socket = open();
    const answer = text(socket);
    socket.write([...head, `Content-Length: ${BODY.length}`, 'Connection: close', '', ''].join('\r\n'));
    for (const byte of BODY.slice(0, -1)) await new Promise((written) => socket.write(byte, written));
    expect(await stored(id)).toBe(0);
    socket.write(BODY.slice(-1));
    expect((await answer).match(/HTTP\/1\.1 \d{3}/g)).toEqual(['HTTP/1.1 201']);
    expect(await stored(id)).toBe(1);
  });

  it('passes on an ordinary request', async () => {
    const { id, head } = await project();
    const logged = stage.api.log.length;
    const answer = await exchange(
      [...head, `Content-Length: ${BODY.length}`, 'Connection: close', '', BODY].join('\r\n'),
    );
    expect(answer).toMatch(/^HTTP\/1\.1 201 /);
    // The refusals above rely on this: the API logs every request that arrives.
    expect(stage.api.log.length).toBeGreaterThan(logged);
    expect(await stored(id)).toBe(1);
  });
});
