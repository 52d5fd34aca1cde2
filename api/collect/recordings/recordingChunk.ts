/** The two parts of a recording's chunk. */
import type { IncomingMessage } from 'node:http';
import { CHUNK_HEAD_MAX_BYTES, CHUNK_MAX_BYTES } from '../../../domain/recordings/recordingLimits.ts';
import { parseJson } from '../../http/requestBody.ts';
import { payloadTooLarge } from '../../http/errors.ts';

export interface Chunk {
  /** Parsed JSON, of any type. */
  head: unknown;
  /** gzip, if the request is valid. */
  bytes: Buffer;
}

const LINE_FEED = 10;
const TYPE = /^text\/plain$/i;

/** @throws {HttpError} 400: another content type, no line, not JSON; 413: the compressed part is too large */
export function readChunk(request: IncomingMessage, body: Buffer): Chunk {
  const end = body.subarray(0, CHUNK_HEAD_MAX_BYTES).indexOf(LINE_FEED);
  // Without a line break the head is empty, which is not JSON.
  const head = parseJson(request, body.subarray(0, Math.max(0, end)), TYPE);
  const bytes = body.subarray(end + 1);
  if (bytes.length > CHUNK_MAX_BYTES) throw payloadTooLarge();
  return { head, bytes };
}
