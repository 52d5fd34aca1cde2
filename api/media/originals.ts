/**
 * GET /media/original/{token}: an item's own medium for the cabinet's player, which may load nothing from other hosts.
 * The bytes are streamed from the integrator's URL through the guard of all outgoing requests.
 */
import type { Context, Middleware } from 'koa';
import type pg from 'pg';
import { findMediumSource, type MediumSource } from '../../db/items/mediumSource.ts';
import type { MediaKind } from '../../domain/analysis/steps.ts';
import type { GuardedAgent } from '../../platform/outgoing/connect.ts';
import { OutgoingError } from '../../platform/outgoing/errors.ts';
import { openMedium, type OpenedMedium } from '../../platform/outgoing/openMedium.ts';
import type { Logger } from '../../platform/process/logger.ts';
import { forbidden, type HttpError, notFound, unavailable } from '../http/errors.ts';
import { stateOf } from '../http/handling/requestState.ts';
import type { OriginalLinks } from './mediaLinks.ts';

export interface OriginalsDeps {
  links: OriginalLinks;
  pool: pg.Pool;
  agent: GuardedAgent;
  requireHttps: boolean;
  logger: Logger;
}

const PATH = /^\/media\/original\/([A-Za-z0-9._-]{1,2048})$/;
const MEDIA_TYPE = /^(?:video|audio|image)\/(?!svg)[\w.+-]+$/;
/** Content types for players when the host sends no usable one. */
const TYPES: Record<MediaKind, string> = { video: 'video/mp4', audio: 'audio/mpeg', image: 'image/jpeg' };
/** Maximum number of media that one process streams at a time: each uses two connections. */
const MAX_STREAMS = 64;
const GONE: ReadonlySet<number> = new Set([404, 410]);

export function serveOriginals({ links, pool, agent, requireHttps, logger }: OriginalsDeps): Middleware {
  let open = 0;
  return async (ctx, next) => {
    const token = PATH.exec(ctx.path)?.[1];
    if (token === undefined || ctx.method !== 'GET') return next();
    const state = stateOf(ctx);
    state.route = '/media/original/{token}';
    if (requireHttps && !state.peer.isHttps) throw forbidden();
    const link = links.open(token);
    if (!link) throw forbidden();
    const source = await findMediumSource(pool, link.medium);
    if (source === null) throw notFound();
    if (open >= MAX_STREAMS) throw unavailable();
    open += 1;
    const leave = (): void => void (open -= 1);
    const medium = await openFor(ctx, agent, source).catch((error: unknown) => {
      leave();
      const fault = faultOf(error);
      // The error's text consists of fixed phrases and contains no address.
      if (fault.status === 503)
        logger.warn({ err: error, requestId: state.requestId }, 'a media file cannot be served');
      throw fault;
    });
    medium.body.once('close', leave);
    send(ctx, source, medium, link.secondsLeft);
  };
}

function openFor({ req, res }: Context, agent: GuardedAgent, { url }: MediumSource): Promise<OpenedMedium> {
  const reader = new AbortController();
  res.once('close', () => reader.abort());
  // The client disconnected while the medium was looked up, and its event has already fired.
  if (res.destroyed) reader.abort();
  return openMedium(agent, { url, range: req.headers.range ?? null, signal: reader.signal });
}

/** Returns 404 when the host does not have the medium, 503 when the host is unreachable. */
function faultOf(error: unknown): HttpError {
  if (error instanceof OutgoingError && error.status !== null && GONE.has(error.status)) return notFound();
  return unavailable(error);
}

function send(ctx: Context, { kind }: MediumSource, medium: OpenedMedium, secondsLeft: number): void {
  const type = medium.headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? '';
  ctx.status = medium.status;
  ctx.set({
    ...medium.headers,
    'Content-Type': MEDIA_TYPE.test(type) ? type : TYPES[kind],
    'Cache-Control': `private, max-age=${secondsLeft}`,
    // nginx would otherwise read ahead of a paused player, up to a gigabyte, into files.
    'X-Accel-Buffering': 'no',
    // Opened directly it must not run anything: it is a stranger's file on our host.
    'Content-Security-Policy': "default-src 'none'; sandbox",
  });
  ctx.body = medium.body;
}
