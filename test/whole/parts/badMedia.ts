/** Faulty servers of media: each fault affects only its own item, and nothing waits behind it. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ServerResponse } from 'node:http';
import { bombPng } from '../../activities/media/samples.ts';
import { cleanUp } from '../../platform/outgoing/support/servers.ts';
import { answerWith, startReceiver, type Receiver } from '../../support/servers/receiver.ts';
import { makeCatalogue, mediaBody, type Catalogue } from '../../support/whole/catalogue.ts';
import { addWebhook, createContentClient, liftLimits, type ContentClient } from '../../support/whole/client.ts';
import { startMediaHost, type MediaHost } from '../../support/whole/mediaHost.ts';
import { ownProject } from '../../support/whole/project.ts';
import type { WholeStack } from '../../support/whole/stack.ts';
import { strayProcesses, workFolders } from '../../support/whole/traces.ts';
import { until } from '../../support/whole/until.ts';

/** More than the media worker decodes at once. */
const DRIPS = 4;

interface BadMedium {
  name: string;
  kind: 'image' | 'video';
  code: string;
  content: Buffer;
}

export const badMedia = (stackOf: () => WholeStack): void =>
  describe('media that are slow, faulty or unusual', () => {
    let stack: WholeStack;
    let client: ContentClient;
    let receiver: Receiver;
    let host: MediaHost;
    let catalogue: Catalogue;
    const dripping = new Set<ServerResponse>();

    beforeAll(async () => {
      [catalogue, host, receiver, stack] = await Promise.all([
        makeCatalogue(),
        startMediaHost(),
        startReceiver(answerWith(204)),
        ownProject(stackOf(), 'Bad media'),
      ]);
      client = createContentClient(stack);
      await addWebhook(stack, receiver.url);
      await liftLimits(stack);
    });

    afterAll(cleanUp);

    const media = (): BadMedium[] => [
      {
        name: 'html',
        kind: 'video',
        code: 'unsupported_media',
        content: Buffer.from('<!doctype html><title>Not here</title>'.repeat(50)),
      },
      {
        name: 'playlist',
        kind: 'video',
        code: 'unsupported_media',
        content: Buffer.from('#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\nfile:///etc/passwd\n'),
      },
      {
        name: 'svg',
        kind: 'image',
        code: 'unsupported_media',
        content: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/></svg>'),
      },
      { name: 'bomb', kind: 'image', code: 'image_too_large', content: bombPng(30_000, 30_000) },
      {
        name: 'cut',
        kind: 'video',
        code: 'media_truncated',
        content: catalogue.video.subarray(0, catalogue.video.length >> 1),
      },
      { name: 'zero', kind: 'image', code: 'empty_media', content: Buffer.alloc(0) },
    ];

    const announced = (id: string) =>
      receiver.requests.filter(({ body }) => (JSON.parse(body) as { item: { id: string } }).item.id === id);

    async function expectAnnounced(id: string, event: string): Promise<void> {
      await until(
        `the webhook of ${id}`,
        async () => announced(id).length,
        (count) => count > 0,
      );
      expect(announced(id).map(({ headers }) => headers['x-core-event'])).toEqual([event]);
    }

    /**
     * Serves a body that arrives in small pieces and takes a quarter of an hour, at twice the minimum rate, so that it
     * is not cut off while the others are awaited, even on a busy machine.
     */
    function drip(path: string): void {
      host.serve(path, (_request, response) => {
        response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': 100_000_000 });
        const timer = setInterval(() => response.write('x'.repeat(65_536)), 500);
        dripping.add(response.on('close', () => clearInterval(timer)));
      });
    }

    it('do not delay others behind hosts that send almost nothing', async () => {
      for (let n = 0; n < DRIPS; n += 1) {
        drip(`/drip-${n}.mp4`);
        await client.putUntilAnswered(`drip-${n}`, mediaBody('video', `${host.url}/drip-${n}.mp4`));
      }
      await until(
        'the drips',
        async () => dripping.size,
        (size) => size >= 2,
      );
      host.serve('/good.mp4', catalogue.video);
      host.serve('/good.png', catalogue.image);
      await client.putUntilAnswered('good-video', mediaBody('video', `${host.url}/good.mp4`));
      await client.putUntilAnswered('good-image', mediaBody('image', `${host.url}/good.png`));
      for (const id of ['good-video', 'good-image']) expect((await client.finalOf(id)).status).toBe('ready');
      expect((await client.get('drip-0')).processing.prepare).toBe('running');
      expect([...dripping].some(({ closed }) => closed)).toBe(false);
    });

    it('are requested again from a host that broke off, and its next answer counts', async () => {
      for (let n = 0; n < DRIPS; n += 1)
        host.serve(`/drip-${n}.mp4`, (_request, response) => void response.writeHead(410).end());
      for (const response of dripping) response.destroy();
      for (let n = 0; n < DRIPS; n += 1) {
        expect(await client.finalOf(`drip-${n}`)).toMatchObject({
          status: 'partial',
          processing_errors: { prepare: { code: 'media_not_found' } },
        });
        await expectAnnounced(`drip-${n}`, 'item.failed');
      }
    });

    it('report the fault of each file, in the step that found it', async () => {
      for (const { name, kind, content } of media()) {
        host.serve(`/${name}`, content);
        await client.putUntilAnswered(name, mediaBody(kind, `${host.url}/${name}`));
      }
      for (const { name, code } of media()) {
        const item = await client.finalOf(name);
        expect({ name, errors: item.processing_errors }).toEqual({
          name,
          errors: { prepare: { code, message: expect.any(String), media_position: 0 } },
        });
        expect(item).toMatchObject({
          status: 'partial',
          processing: { prepare: 'failed', embedding: 'done' },
          media: [{ status: 'failed' }],
        });
        await expectAnnounced(name, 'item.failed');
      }
    });

    it('fail an item that has nothing else', async () => {
      await client.putUntilAnswered('lost', { type: 'image', media: [{ kind: 'image', url: `${host.url}/lost.png` }] });
      const item = await client.finalOf('lost');
      expect(item).toMatchObject({
        status: 'failed',
        summary: null,
        processing: { prepare: 'failed', embedding: 'failed' },
        processing_errors: {
          prepare: { code: 'media_not_found', media_position: 0 },
          embedding: { code: 'no_content' },
        },
      });
      await expectAnnounced('lost', 'item.failed');
      expect(host.counts.get('/lost.png')).toBe(1); // a 404 is not retried
    });

    it('are never fetched from internal addresses, named directly or by a redirect', async () => {
      expect((await client.put('inside', mediaBody('image', 'https://10.0.0.1/a.png'))).status).toBe(422);
      host.serve(
        '/inside',
        (_request, response) => void response.writeHead(302, { location: 'https://10.0.0.1/a.png' }).end(),
      );
      await client.putUntilAnswered('redirected', mediaBody('image', `${host.url}/inside`));
      expect(await client.finalOf('redirected')).toMatchObject({
        status: 'partial',
        processing_errors: { prepare: { code: 'forbidden_address' } },
      });
    });

    it('are analysed if they are unusual but valid: 40 minutes, and a video without sound', async () => {
      host.serve('/long.mp4', catalogue.long);
      host.serve('/silent.mp4', catalogue.silent);
      await client.putUntilAnswered('long', mediaBody('video', `${host.url}/long.mp4`));
      await client.putUntilAnswered('silent', mediaBody('video', `${host.url}/silent.mp4`));
      const long = await client.finalOf('long');
      expect(long.status).toBe('ready');
      expect(long.media[0]?.duration_sec).toBeCloseTo(2400, 0);
      expect(await client.finalOf('silent')).toMatchObject({
        status: 'ready',
        processing: { prepare: 'done', speech: 'skipped', vision: 'done' },
      });
    });

    it('leave no file and no decoder behind', async () => {
      expect(
        await until(
          'the folders',
          () => workFolders(stack),
          (folders) => folders.length === 0,
        ),
      ).toEqual([]);
      expect(
        await until(
          'the decoders',
          () => strayProcesses(stack),
          (processes) => processes.length === 0,
        ),
      ).toEqual([]);
    });
  });
