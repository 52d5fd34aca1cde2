/** Reads the request body: counts bytes while they arrive, then parses JSON. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { invalidRequest, payloadTooLarge, requestTimeout } from './errors.ts';

export interface BodyLimits {
  /** Upper limit, whatever an API accepts (`maxBodyBytes` in api/http/operations/apiDefinition.ts). */
  maxBytes: number;
  /** Maximum time without a byte. */
  silenceMs: number;
  /** From the first wait for the body to its end. */
  totalMs: number;
}

/** 5 MB take 11 minutes at 64 kbit/s, which even the worst mobile networks provide. */
export const BODY_LIMITS: BodyLimits = { maxBytes: 5 * 1024 * 1024, silenceMs: 30_000, totalMs: 15 * 60_000 };

/** The client disconnected, so there is nobody to answer. */
export class ClientDisconnectedError extends Error {
  override readonly name = 'ClientDisconnectedError';
}

/**
 * Amount of an oversized body that is still read and discarded, so that a client that sends everything before it reads
 * gets the 413 instead of a broken connection.
 */
const DRAIN = { maxBytes: 20 * 1024 * 1024, timeoutMs: 2_000 };

/** Requests whose body is being read, with its own time limits. */
const reading = new WeakSet<IncomingMessage>();

export function isReadingBody(request: IncomingMessage): boolean {
  return reading.has(request);
}

/** Returns true for a client that sends its body after a 100; HTTP/1.0 has none, so there the header is ignored. */
export function isWaitingToContinue({ headers, httpVersion }: IncomingMessage): boolean {
  return headers.expect?.toLowerCase() === '100-continue' && httpVersion !== '1.0';
}

/**
 * Reads the whole body; a client that waits for a 100 gets it once the announced length is accepted.
 * @throws {HttpError} 413 over the limit, 408 when it stalls or takes too long
 * @throws {ClientDisconnectedError}
 */
export async function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  limits: BodyLimits,
): Promise<Buffer> {
  const isWaiting = isWaitingToContinue(request);
  if (Number(request.headers['content-length'] ?? 0) > limits.maxBytes) return refuseTooLarge(request, !isWaiting);
  if (isWaiting) response.writeContinue();
  const outcome = await collect(request, limits);
  if (outcome instanceof Buffer) return outcome;
  if (outcome === 'disconnected') throw new ClientDisconnectedError('the client closed the connection');
  if (outcome === 'too slow') throw requestTimeout();
  return refuseTooLarge(request, true);
}

/** Drains the body so that the client can read the response. @throws {HttpError} 413, always */
export async function refuseTooLarge(request: IncomingMessage, isSending: boolean): Promise<never> {
  if (isSending) await drain(request);
  throw payloadTooLarge({ closeConnection: true });
}

function collect(
  request: IncomingMessage,
  limits: BodyLimits,
): Promise<Buffer | 'too large' | 'too slow' | 'disconnected'> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    reading.add(request);
    const silence = setTimeout(() => settle('too slow'), limits.silenceMs);
    const total = setTimeout(() => settle('too slow'), limits.totalMs);
    const settle = (outcome: Buffer | 'too large' | 'too slow' | 'disconnected'): void => {
      clearTimeout(silence);
      clearTimeout(total);
      reading.delete(request);
      request.off('data', onData).off('end', onEnd).off('close', onDisconnect).off('error', onDisconnect);
      resolve(outcome);
    };
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      silence.refresh();
      if (size > limits.maxBytes) settle('too large');
      else chunks.push(chunk);
    };
    const onEnd = (): void => settle(Buffer.concat(chunks));
    const onDisconnect = (): void => settle('disconnected');
    request.on('data', onData).on('end', onEnd).on('close', onDisconnect).on('error', onDisconnect);
  });
}

function drain(request: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    let left = DRAIN.maxBytes;
    const timer = setTimeout(() => done(), DRAIN.timeoutMs);
    const done = (): void => {
      clearTimeout(timer);
      request.off('data', onData).off('end', done).off('close', done);
      resolve();
    };
    const onData = (chunk: Buffer): void => {
      left -= chunk.length;
      if (left < 0) done();
    };
    request
      .on('data', onData)
      .on('end', done)
      .on('close', done)
      .on('error', () => {});
    request.resume();
  });
}

const JSON_TYPE = /^application\/(json|[\w.-]+\+json)$/i;
const UTF8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Parses a body.
 * @param types content types that may hold JSON, without parameters
 * @throws {HttpError} 400: another content type or encoding, invalid UTF-8, or not JSON
 */
export function parseJson(request: IncomingMessage, bytes: Buffer, types = JSON_TYPE): unknown {
  const encoding = request.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (encoding !== 'identity' || !isTypeOf(types, request.headers['content-type'] ?? '')) throw invalidRequest();
  try {
    return JSON.parse(UTF8.decode(bytes)) as unknown;
  } catch (error) {
    throw invalidRequest([], { cause: error });
  }
}

function isTypeOf(types: RegExp, header: string): boolean {
  const [type = '', ...parameters] = header.split(';').map((part) => part.trim());
  const charset = parameters.find((parameter) => /^charset=/i.test(parameter))?.slice('charset='.length);
  return types.test(type) && (charset === undefined || /^"?utf-?8"?$/i.test(charset));
}
