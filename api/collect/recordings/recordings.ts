/**
 * POST /collect/recordings: a chunk of a session recording, one line of JSON followed by gzip. The tag sends it in the
 * mode `no-cors` and does not read the response: what it needs to know is in the responses of /collect. Checks are in
 * the same order as for /collect.
 */
import { createHash, createHmac } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Context, Middleware } from 'koa';
import type pg from 'pg';
import type { BlobStore } from '../../../platform/blobs/createBlobStore.ts';
import {
  beginRecording,
  findBeginFault,
  findChunkState,
  insertChunk,
  type BeginFault,
  type ChunkRef,
  type NewChunk,
} from '../../../db/recordings/recordingIntake.ts';
import { countRecordedBytes } from '../../../db/recordings/dailyBytes.ts';
import { parseDateTime } from '../../../domain/dateTime.ts';
import { recordingChunkKey } from '../../../domain/jobs/ids.ts';
import { secondsToMoscowMidnight } from '../../../domain/sites/moscowDays.ts';
import { MARKED_MAX_TEXT_BYTES, marksOf } from '../../../domain/recordings/marks.ts';
import {
  CHUNK_HEAD_MAX_BYTES,
  CHUNK_MAX_BYTES,
  CHUNK_MAX_TEXT_BYTES,
} from '../../../domain/recordings/recordingLimits.ts';
import type { SiteSettings } from '../../../domain/sites/siteSettings.ts';
import { FairCapacity } from '../../../platform/process/concurrency/fairCapacity.ts';
import { withWorkFolder } from '../../../platform/disk/workDir.ts';
import type { FieldFault } from '../../../domain/schemas/fieldFaults.ts';
import { RecordingChunkHead } from '../../../domain/schemas/recordingChunk.ts';
import type { CompileValidator, Validate } from '../../../domain/schemas/validation.ts';
import { refuseKeyInQuery } from '../../auth/bearer.ts';
import type { TagKeyAuthentication } from '../../auth/tagKey.ts';
import { BODY_LIMITS, readBody } from '../../http/requestBody.ts';
import { forbidden, notFound, payloadTooLarge, rateLimited, unavailable, validationFailed } from '../../http/errors.ts';
import { limitKeyOf } from '../../http/limits/trustedProxies.ts';
import { stateOf } from '../../http/handling/requestState.ts';
import { ENGLISH } from '../../http/errorMessages.ts';
import type { CheckAddressLimit } from '../checks/intakeIpLimit.ts';
import { inspectChunk } from './chunkFault.ts';
import { listsAll } from '../checks/allowedHosts.ts';
import { optsOut } from '../checks/optOut.ts';
import { readChunk, type Chunk } from './recordingChunk.ts';
import { userAgentOf } from '../checks/userAgent.ts';
import { areBytesFull } from '../../../domain/recordings/recordingQuota.ts';

const RECORDINGS_PATH = '/collect/recordings';
/**
 * Maximum number of concurrent chunks, of a megabyte each; beyond it clients are asked to retry. One address or one
 * site gets at most half of them.
 */
export const SIMULTANEOUS = 100;
/**
 * A chunk takes 2.2 minutes at 64 kbit/s. A slower client loses its slot to others: it holds one from the first byte
 * on, because the bytes that have arrived take up memory.
 */
export const CHUNK_LIMITS = { ...BODY_LIMITS, maxBytes: CHUNK_HEAD_MAX_BYTES + CHUNK_MAX_BYTES, totalMs: 150_000 };
/** Older chunks come from a tab that was suspended, or from a clock that cannot be corrected. */
const MAX_AGE_MS = 86_400_000;

export interface RecordingDeps {
  pool: pg.Pool;
  blobs: BlobStore;
  workDir: string;
  validators: CompileValidator;
  tagKeys: TagKeyAuthentication;
  requireHttps: boolean;
  addressLimit: CheckAddressLimit;
  /** The derived key `contact-hashes`: addresses are stored only as hashes, and only for two days. */
  contactKey: Buffer;
}

export function serveRecordings(deps: RecordingDeps): Middleware {
  const validate = deps.validators(RecordingChunkHead);
  const room = new FairCapacity(SIMULTANEOUS);
  const sites = new FairCapacity(SIMULTANEOUS);
  return async (ctx, next) => {
    if (ctx.path !== RECORDINGS_PATH) return next();
    const state = stateOf(ctx);
    state.route = RECORDINGS_PATH;
    state.texts = ENGLISH;
    if (ctx.method !== 'POST') throw notFound();
    if (deps.requireHttps && !state.peer.isHttps) throw forbidden();
    await deps.addressLimit(state.peer.ip);
    await withRoom(room, limitKeyOf(state.peer.ip), () => accept(ctx, deps, validate, sites));
    ctx.status = 202;
    ctx.body = {};
    return undefined;
  };
}

/** @throws {HttpError} 503 when the party has too many requests in progress */
async function withRoom(room: FairCapacity, party: string, work: () => Promise<void>): Promise<void> {
  const leave = room.tryAcquire([{ name: party }]);
  if (leave === null) throw unavailable();
  try {
    await work();
  } finally {
    leave();
  }
}

async function accept(ctx: Context, deps: RecordingDeps, validate: Validate, sites: FairCapacity): Promise<void> {
  const receivedAt = Date.now();
  refuseKeyInQuery(ctx.req);
  const chunk = readChunk(ctx.req, await readBody(ctx.req, ctx.res, CHUNK_LIMITS));
  const site = await siteOf(chunk.head, ctx, deps.tagKeys);
  stateOf(ctx).siteId = site.siteId;
  const faults = validate(chunk.head);
  if (faults.length > 0) throw validationFailed(faults);
  await withRoom(sites, site.siteId, () =>
    acceptChunk(deps, site, { chunk, receivedAt, userAgent: userAgentOf(ctx), ip: stateOf(ctx).peer.ip }),
  );
}

async function acceptChunk(
  deps: RecordingDeps,
  site: SiteSettings,
  { chunk, receivedAt, userAgent, ip }: { chunk: Chunk; receivedAt: number; userAgent: string; ip: string },
): Promise<void> {
  const head = chunk.head as RecordingChunkHead;
  const time = timeOf(head, receivedAt);
  const ref = {
    siteId: site.siteId,
    recordingId: head.recording_id.toLowerCase(),
    visitorId: head.visitor_id.toLowerCase(),
    seq: head.seq,
  };
  // Checked before anything is decompressed, so that refused chunks cost little.
  const room = await checkChunk(deps.pool, ref, site);
  if (room === 'known') return;
  const sender = senderOf(ip, deps.contactKey);
  await requireByteQuota(deps.pool, site, sender);
  const text = await requireEvents(chunk);
  if (room === 'new') await begin(deps.pool, ref, site, userAgent);
  const marks = text === null ? null : { from: head.from, list: marksOf(text) };
  await store(deps, ref, { ...time, events: head.events, sender, marks }, chunk.bytes);
}

/** @throws {HttpError} 401 or 403; 422 for a value that is not an object, and therefore has no key */
async function siteOf(head: unknown, ctx: Context, tagKeys: TagKeyAuthentication): Promise<SiteSettings> {
  if (typeof head !== 'object' || head === null || Array.isArray(head))
    throw validationFailed([{ field: '', code: 'invalid_type' }]);
  const site = await tagKeys.siteOf((head as { key?: unknown }).key, stateOf(ctx).peer.ip);
  if (!site.recordings || optsOut(ctx.req, site) || !listsAll(site.hosts, ctx.req.headers.origin, []))
    throw forbidden();
  return site;
}

/** Returns the times by our clock, not later than the receipt. @throws {HttpError} 422 */
function timeOf(
  { sent_at: sentAt, from, to }: RecordingChunkHead,
  receivedAt: number,
): { startedAt: Date; endedAt: Date } {
  const clockError = (parseDateTime(sentAt)?.getTime() ?? receivedAt) - receivedAt;
  const own = (at: number): number => Math.min(at - clockError, receivedAt);
  if (to < from) throw fault('to', 'invalid_value');
  if (own(from) < receivedAt - MAX_AGE_MS) throw fault('from', 'too_old');
  return { startedAt: new Date(own(from)), endedAt: new Date(own(to)) };
}

/**
 * @returns the events as JSON; null when they are too long to be parsed
 * @throws {HttpError} 413, or 422 on `chunk`, the name of the compressed part
 */
async function requireEvents({ bytes }: Chunk): Promise<string | null> {
  const limits = { maxTextBytes: CHUNK_MAX_TEXT_BYTES, keptTextBytes: MARKED_MAX_TEXT_BYTES };
  const found = await inspectChunk(bytes, limits);
  if (found.fault === 'too_large') throw payloadTooLarge();
  if (found.fault !== null) throw fault('chunk', 'invalid_value');
  return found.text;
}

/**
 * `known`: nothing is left to do; `new`: the recording has to be started first.
 * @throws {HttpError} 403, 413, 422 or 429
 */
async function checkChunk(pool: pg.Pool, ref: ChunkRef, site: SiteSettings): Promise<'known' | 'room' | 'new'> {
  const state = await findChunkState(pool, ref);
  switch (state) {
    case 'gone':
      throw forbidden();
    case 'foreign':
      throw fault('visitor_id', 'invalid_value');
    case 'full':
      throw payloadTooLarge();
    case 'new': {
      const found = await findBeginFault(pool, ref, site.quotas);
      if (found !== null) throw beginError(found);
    }
  }
  return state;
}

function senderOf(ip: string, key: Buffer): string {
  return createHmac('sha256', key)
    .update(`sender:${limitKeyOf(ip)}`)
    .digest('base64url');
}

/**
 * Chunks that arrive at the same moment are counted after they are stored, so a day may exceed its quota by the chunks
 * that all processes are handling.
 * @throws {HttpError} 429 until the day is over
 */
async function requireByteQuota(pool: pg.Pool, { siteId, quotas }: SiteSettings, sender: string): Promise<void> {
  if (areBytesFull(await countRecordedBytes(pool, siteId, sender), quotas))
    throw rateLimited(secondsToMoscowMidnight(Date.now()));
}

/**
 * Starts the recording; the quota is checked again, since others may start meanwhile.
 * @throws {HttpError} 422 or 429
 */
async function begin(pool: pg.Pool, ref: ChunkRef, site: SiteSettings, userAgent: string): Promise<void> {
  const found = await beginRecording(pool, { ...ref, userAgent }, site.quotas);
  if (found !== null) throw beginError(found);
}

function beginError(found: BeginFault): Error {
  return found === 'day_full' ? rateLimited(secondsToMoscowMidnight(Date.now())) : fault('visitor_id', 'invalid_value');
}

/** Stores the blob in the folder of its recording, with which it is deleted, then the row that refers to it. */
async function store(
  { pool, blobs, workDir }: RecordingDeps,
  ref: ChunkRef,
  known: Omit<NewChunk, keyof ChunkRef | 'bytes' | 'blobKey'>,
  bytes: Buffer,
): Promise<void> {
  const digest = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
  const blobKey = recordingChunkKey(ref.siteId, ref.recordingId, ref.seq, digest);
  await withWorkFolder(workDir, async (folder) => {
    const path = join(folder, 'chunk');
    await writeFile(path, bytes);
    await blobs.putFile(blobKey, path);
  });
  // The recording was removed meanwhile, or started by another visitor at the same moment.
  if (!(await insertChunk(pool, { ...ref, ...known, bytes: bytes.length, blobKey }))) throw forbidden();
}

function fault(field: string, code: FieldFault['code']): Error {
  return validationFailed([{ field, code }]);
}
