import { types } from 'node:util';
import { WebhookVerificationError } from './error.ts';

/** Far above any event: the longest part of a body is a summary. */
const MAX_BODY_BYTES = 1024 * 1024;

/**
 * The raw bytes of a request that nobody has read yet: Node's `IncomingMessage` (Koa's `ctx.req`), or
 * the `body` of a fetch `Request`. Reads no more than the limit, since anyone may post.
 * @throws {WebhookVerificationError} `body_too_large`
 * @throws {TypeError} when the stream gives text: `setEncoding` was called on it
 */
export async function readRawBody(
  stream: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  maxBytes = MAX_BODY_BYTES,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    if (!types.isUint8Array(chunk))
      throw new TypeError('the stream gives text: read the raw bytes, without setEncoding');
    size += chunk.byteLength;
    if (size > maxBytes)
      throw new WebhookVerificationError('body_too_large', `the body is longer than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
