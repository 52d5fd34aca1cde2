import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import {
  judgeWebhook,
  startSampleServer,
  type ReceivedWebhook,
  type SampleServer,
} from '../../../../../tools/scripts/dev/demo/server.ts';
import { coreSignature } from '../../../../../domain/webhooks/signature.ts';

const samplesDir = join(import.meta.dirname, '../../../../../tools/samples');
const SECRET = 'whsec_0123456789abcdefghijABCDEFGHIJ0123456789';
const NOW = 1_790_000_000;
const BODY = JSON.stringify({ event: 'item.processed', item: { id: 'story' } });

function headers(timestamp: number, body = BODY): Record<string, string> {
  return {
    'x-core-event': 'item.processed',
    'x-core-delivery': 'd1',
    'x-core-timestamp': String(timestamp),
    'x-core-signature': coreSignature(SECRET, timestamp, body),
  };
}

describe('judgeWebhook', () => {
  const judge = (given: Record<string, string>, body = BODY): string | null =>
    judgeWebhook(given, Buffer.from(body), SECRET, NOW * 1000).fault;

  it('accepts a genuine request', () => {
    expect(judgeWebhook(headers(NOW), Buffer.from(BODY), SECRET, NOW * 1000)).toEqual({
      deliveryId: 'd1',
      event: 'item.processed',
      itemId: 'story',
      fault: null,
    });
  });

  it('rejects a changed body, another secret, and a missing signature', () => {
    expect(judge(headers(NOW), BODY.replace('story', 'other'))).toBe('the signature is wrong');
    expect(judge({ ...headers(NOW), 'x-core-signature': coreSignature('whsec_x', NOW, BODY) })).toBe(
      'the signature is wrong',
    );
    const { 'x-core-signature': _left, ...unsigned } = headers(NOW);
    expect(judge(unsigned)).toBe('the signature is wrong');
  });

  it('rejects a changed timestamp, or one older than five minutes', () => {
    expect(judge({ ...headers(NOW), 'x-core-timestamp': String(NOW - 1) })).toBe('the signature is wrong');
    expect(judge(headers(NOW - 300))).toBeNull();
    expect(judge(headers(NOW - 301))).toBe('the timestamp is more than 5 minutes from now');
  });
});

describe('the samples server', () => {
  let server: SampleServer;

  beforeAll(async () => {
    server = await startSampleServer(samplesDir);
  });

  afterAll(() => server.close());

  function call(
    method: string,
    path: string,
    sent: Record<string, string> = {},
    body = '',
  ): Promise<{ status: number | undefined; bytes: Buffer }> {
    return new Promise((resolve, reject) => {
      const outgoing = request(`${server.url}${path}`, { method, ca: server.ca, headers: sent }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => resolve({ status: response.statusCode, bytes: Buffer.concat(chunks) }));
      });
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  }

  it('serves the media and nothing else', async () => {
    expect(
      (await call('GET', '/samples/depot-sign.jpg')).bytes.equals(readFileSync(join(samplesDir, 'depot-sign.jpg'))),
    ).toBe(true);
    for (const path of [
      '/samples/story.json',
      '/samples/..%2fpackage.json',
      '/samples/../package.json',
      '/samples/none.jpg',
      '/',
    ]) {
      expect((await call('GET', path)).status).toBe(404);
    }
  });

  it('sends the range of bytes that a player requests', async () => {
    const whole = readFileSync(join(samplesDir, 'tram-lesson.mp4'));
    const stretch = async (range: string) => call('GET', '/samples/tram-lesson.mp4', { range });
    expect(await stretch('bytes=10-19')).toEqual({ status: 206, bytes: whole.subarray(10, 20) });
    expect(await stretch(`bytes=${whole.length - 5}-`)).toEqual({ status: 206, bytes: whole.subarray(-5) });
    expect((await stretch(`bytes=${whole.length}-`)).status).toBe(416);
    expect((await stretch('bytes=-5')).bytes.length).toBe(whole.length);
  });

  it('is found again at its usual port, or at another one if that is taken', async () => {
    const second = await startSampleServer(samplesDir, server.port);
    expect(second.port).not.toBe(server.port);
    const usual = second.port;
    await second.close();
    const third = await startSampleServer(samplesDir, usual);
    expect(third.port).toBe(usual);
    await third.close();
  });

  it('passes on webhooks with its verdict', async () => {
    const received: ReceivedWebhook[] = [];
    server.expectWebhooks(SECRET, (webhook) => received.push(webhook));
    const now = Math.floor(Date.now() / 1000);
    expect((await call('POST', '/webhook', headers(now), BODY)).status).toBe(204);
    expect((await call('POST', '/webhook', headers(now), `${BODY} `)).status).toBe(204);
    expect(received.map(({ itemId, fault }) => [itemId, fault])).toEqual([
      ['story', null],
      ['story', 'the signature is wrong'],
    ]);
  });
});
