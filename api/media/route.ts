/** GET /media/{token}: the JPEG of a frame by its signed link. */
import { buffer } from 'node:stream/consumers';
import type { Middleware } from 'koa';
import type { BlobStore } from '../../platform/blobs/createBlobStore.ts';
import { forbidden, notFound } from '../http/errors.ts';
import { stateOf } from '../http/handling/requestState.ts';
import type { MediaLinks } from './mediaLinks.ts';

const TOKEN = /^\/media\/([A-Za-z0-9._-]{1,1024})$/;

/** Keys come only from signed tokens, so no path written by a stranger reaches the store. */
export function serveMedia(links: MediaLinks, blobs: BlobStore, requireHttps: boolean): Middleware {
  return async (ctx, next) => {
    const token = TOKEN.exec(ctx.path)?.[1];
    if (token === undefined || ctx.method !== 'GET') return next();
    const state = stateOf(ctx);
    state.route = '/media/{token}';
    if (requireHttps && !state.peer.isHttps) throw forbidden();
    const link = links.open(token);
    if (!link) throw forbidden();
    const blob = await blobs.open(link.blobKey);
    if (!blob) throw notFound();
    // A frame is small; it is read whole, so that a disk error results in an error response instead of a broken
    // connection.
    const image = await buffer(blob.stream);
    ctx.status = 200;
    ctx.set({
      'Content-Type': 'image/jpeg',
      'Cache-Control': `private, max-age=${link.secondsLeft}, immutable`,
      'Content-Security-Policy': "default-src 'none'; sandbox",
    });
    ctx.body = image;
  };
}
