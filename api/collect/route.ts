/**
 * POST /collect: batches of the tag and of custom trackers. It is outside the framework of the other APIs, since it is
 * called far more often: no router, a separate limit per address (the ingest limits individual visitors), and a key in
 * the body. The outer layer (api/http/handling/answer.ts) is the same. The key is known only after the body is read, so
 * the order is: 404 → 403 https → 429 → 413 → 400 → 401/403 → 422 → the individual events.
 */
import type { Context, Middleware } from 'koa';
import type { SiteSettings } from '../../domain/sites/siteSettings.ts';
import type { CollectedEvent } from '../../domain/collect/collected.ts';
import { parseDateTime } from '../../domain/dateTime.ts';
import { withoutContacts } from '../../domain/privacy/contactsInTexts.ts';
import { MAX_REQUEST_BYTES } from '../../domain/collect/tagEventLimits.ts';
import { CollectRequest, type DropCode } from '../../domain/schemas/collectRequest.ts';
import type { CompileValidator } from '../../domain/schemas/validation.ts';
import { refuseKeyInQuery } from '../auth/bearer.ts';
import type { TagKeyAuthentication } from '../auth/tagKey.ts';
import { BODY_LIMITS, parseJson, readBody } from '../http/requestBody.ts';
import { forbidden, HttpError, notFound, validationFailed } from '../http/errors.ts';
import { stateOf } from '../http/handling/requestState.ts';
import { ENGLISH } from '../http/errorMessages.ts';
import type { CheckAddressLimit } from './checks/intakeIpLimit.ts';
import { allowOrigin, answerPreflight } from './checks/cors.ts';
import { senderHost, unlistedHost } from './checks/allowedHosts.ts';
import { createTagEventValidator, type EventContext, type ValidateTagEvent } from './validateTagEvents.ts';
import { optsOut } from './checks/optOut.ts';
import { createProofs } from './checks/userHash.ts';
import type { SenderCounter } from './checks/senderCounter.ts';
import type { ReadRecordingAnswer } from './recordings/recordingAnswer.ts';
import { userAgentOf } from './checks/userAgent.ts';
import type { CollectWriter } from './groupCommit.ts';
import { isRecord } from '../../domain/isRecord.ts';

const COLLECT_PATH = '/collect';
/**
 * 64 KB take 45 s at 12 kbit/s. Slower clients are disconnected, because the limit per address counts requests and does
 * not limit how many are open at once.
 */
const LIMITS = { ...BODY_LIMITS, maxBytes: MAX_REQUEST_BYTES, totalMs: 45_000 };

/** Beacons are text/plain: browsers send them without a preflight request. */
const TYPES = /^(application\/json|text\/plain)$/i;

export interface CollectDeps {
  validators: CompileValidator;
  tagKeys: TagKeyAuthentication;
  writer: CollectWriter;
  readRecordingAnswer: ReadRecordingAnswer;
  /** The derived key `contact-hashes`. */
  contactKey: Buffer;
  /** The derived key `identity-secrets` (domain/accounts/secretKeys.ts). */
  identityKey: Buffer;
  lateEventMs: number;
  requireHttps: boolean;
  addressLimit: CheckAddressLimit;
  senders: SenderCounter;
}

interface Dropped {
  index: number;
  code: DropCode;
}

export function serveCollect(deps: CollectDeps): Middleware {
  const accept = createIntake(deps);
  return async (ctx, next) => {
    if (ctx.path !== COLLECT_PATH) return next();
    const state = stateOf(ctx);
    state.route = COLLECT_PATH;
    state.texts = ENGLISH;
    allowOrigin(ctx);
    const isPreflight = answerPreflight(ctx);
    if (!isPreflight && ctx.method !== 'POST') throw notFound();
    if (deps.requireHttps && !state.peer.isHttps) throw forbidden();
    if (isPreflight) return undefined;
    await deps.addressLimit(state.peer.ip);
    await accept(ctx);
    return undefined;
  };
}

function createIntake({
  validators,
  tagKeys,
  writer,
  readRecordingAnswer,
  contactKey,
  identityKey,
  lateEventMs,
  senders,
}: CollectDeps): (ctx: Context) => Promise<void> {
  const validate = validators(CollectRequest);
  const validateEvent = createTagEventValidator({ validators, contactKey, lateEventMs });
  const proofOf = createProofs(identityKey);
  return async (ctx) => {
    const state = stateOf(ctx);
    const receivedAt = new Date();
    refuseKeyInQuery(ctx.req);
    const bytes = await readBody(ctx.req, ctx.res, LIMITS);
    const body = parseJson(ctx.req, bytes, TYPES);
    const site = await siteOf(body, ctx, tagKeys, senders);
    state.siteId = site.siteId;
    const faults = validate(body);
    if (faults.length > 0) throw validationFailed(faults);
    const batch = body as CollectRequest;
    const visitorId = batch.visitor_id.toLowerCase();
    const isOptedOut = optsOut(ctx.req, site);
    const { indexes, events, dropped } = isOptedOut
      ? refuseAll(batch, 'opted_out')
      : validateAll(batch, { visitorId, receivedAt, proveUser: proofOf(site) }, validateEvent);
    const repeats =
      events.length === 0
        ? new Set<number>()
        : await writer.write(
            {
              siteId: site.siteId,
              visitorId,
              receivedAt,
              events,
              ip: state.peer.ip,
              userAgent: userAgentOf(ctx),
              device: deviceOf(batch.device),
            },
            bytes.length,
          );
    for (const repeat of repeats) dropped.push({ index: indexes[repeat] ?? 0, code: 'duplicate' });
    count(writer, events.length - repeats.size, dropped);
    const recording = isOptedOut ? null : await readRecordingAnswer(site, visitorId);
    state.logLevel = 'debug';
    ctx.status = 202;
    ctx.body = {
      accepted: events.length - repeats.size,
      dropped: dropped.sort((a, b) => a.index - b.index),
      ...recording,
    };
  };
}

/** @throws {HttpError} 401 or 403; 422 for a value that is not an object, and therefore has no key */
async function siteOf(
  body: unknown,
  ctx: Context,
  tagKeys: TagKeyAuthentication,
  senders: SenderCounter,
): Promise<SiteSettings> {
  if (!isRecord(body)) throw validationFailed([{ field: '', code: 'invalid_type' }]);
  const { key, events } = body;
  const { origin } = ctx.req.headers;
  const site = await tagKeys.siteOf(key, stateOf(ctx).peer.ip).catch((error: unknown) => {
    if (error instanceof HttpError && error.status === 401) senders.countRefusedKey(senderHost(origin, events), key);
    throw error;
  });
  const unlisted = unlistedHost(site.hosts, origin, events);
  if (unlisted !== null) {
    senders.countBatch(site.siteId, 'unlisted_host', unlisted);
    throw forbidden();
  }
  senders.countBatch(site.siteId, 'accepted', senderHost(origin, events));
  return site;
}

interface Validated {
  /** Indexes of `events` in the batch. */
  indexes: number[];
  events: CollectedEvent[];
  dropped: Dropped[];
}

function validateAll(
  batch: CollectRequest,
  { visitorId, receivedAt, proveUser }: Pick<EventContext, 'visitorId' | 'proveUser'> & { receivedAt: Date },
  validateEvent: ValidateTagEvent,
): Validated {
  const sentAt = parseDateTime(batch.sent_at) ?? receivedAt;
  const received = receivedAt.getTime();
  const context = { visitorId, proveUser, receivedAt: received, clockError: sentAt.getTime() - received };
  const validated: Validated = { indexes: [], events: [], dropped: [] };
  batch.events.forEach((given, index) => {
    const outcome = validateEvent(given, context);
    if (typeof outcome === 'string') validated.dropped.push({ index, code: outcome });
    else {
      validated.indexes.push(index);
      validated.events.push(outcome);
    }
  });
  return validated;
}

function refuseAll({ events }: CollectRequest, code: DropCode): Validated {
  return { indexes: [], events: [], dropped: events.map((_, index) => ({ index, code })) };
}

function deviceOf(
  device: CollectRequest['device'],
): { screen: string | null; window: string | null; language: string | null; timezone: string | null } | null {
  if (!device) return null;
  const textOf = (text: string | null | undefined): string | null => (text ? withoutContacts(text) : null);
  return {
    screen: textOf(device.screen),
    window: textOf(device.window),
    language: textOf(device.language),
    timezone: textOf(device.timezone),
  };
}

function count({ metrics }: CollectWriter, accepted: number, dropped: readonly Dropped[]): void {
  if (accepted > 0) metrics.events.inc({ outcome: 'accepted' }, accepted);
  for (const { code } of dropped) metrics.events.inc({ outcome: code });
}
