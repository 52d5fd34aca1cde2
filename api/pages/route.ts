/** GET /cabinet and everything below it except /cabinet/api: the web app of the cabinet. */
import { randomBytes } from 'node:crypto';
import type { Context, Middleware } from 'koa';
import type { Logger } from '../../platform/process/logger.ts';
import { forbidden, notFound, unavailable } from '../http/errors.ts';
import { stateOf } from '../http/handling/requestState.ts';
import type { AppFile, AppFiles, Encoding, PageName } from './webAppFiles.ts';
import { PAGE_HEADERS, pagePolicy, REPLAY_HEADERS } from './policy.ts';

export interface PagesDeps {
  files: AppFiles;
  publicUrl: string;
  requireHttps: boolean;
  logger: Logger;
}

const BASE = '/cabinet';
/** Separate documents, which load next to nothing; every other path is a page of the app. */
const DOCUMENTS = new Map<string, PageName>([
  [`${BASE}/sign-in`, 'sign-in.html'],
  [`${BASE}/invitation`, 'invitation.html'],
  [`${BASE}/replay`, 'replay.html'],
]);
const ASSETS = `${BASE}/assets/`;
/** The API below the same path answers its own unknown paths. */
const API = `${BASE}/api`;
/** As in cabinet/vite.config.ts. */
const NONCE_PLACEHOLDER = '__CABINET_NONCE__';
const NONCE_BYTES = 16;

export function servePages({ files, publicUrl, requireHttps, logger }: PagesDeps): Middleware {
  return async (ctx, next) => {
    if (!isPage(ctx.path) || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return next();
    const state = stateOf(ctx);
    const isAsset = ctx.path.startsWith(ASSETS);
    state.route = isAsset ? `${ASSETS}{name}` : BASE;
    if (requireHttps && !state.peer.isHttps) throw forbidden();
    if (isAsset) return sendAsset(ctx, await files.asset(ctx.path.slice(ASSETS.length)));
    const name = DOCUMENTS.get(ctx.path) ?? 'index.html';
    const page = await files.page(name);
    if (page === null) {
      logger.error({ requestId: state.requestId }, 'the cabinet is not built: run npm run cabinet:build');
      throw unavailable();
    }
    const nonce = randomBytes(NONCE_BYTES).toString('base64');
    ctx.set({
      ...PAGE_HEADERS,
      'Content-Security-Policy': pagePolicy(nonce, publicUrl),
      ...(name === 'replay.html' && REPLAY_HEADERS),
    });
    ctx.type = 'text/html; charset=utf-8';
    ctx.body = page.replaceAll(NONCE_PLACEHOLDER, nonce);
  };
}

function isPage(path: string): boolean {
  if (path !== BASE && !path.startsWith(`${BASE}/`)) return false;
  return path !== API && !path.startsWith(`${API}/`);
}

function sendAsset(ctx: Context, file: AppFile | null): void {
  if (file === null) throw notFound();
  const encoding = encodingFor(ctx, file);
  ctx.set({
    'Cache-Control': 'public, max-age=31536000, immutable',
    Vary: 'Accept-Encoding',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Content-Type': file.type,
    ...(encoding !== 'identity' && { 'Content-Encoding': encoding }),
  });
  ctx.body = file.bytes[encoding] ?? file.bytes.identity;
}

function encodingFor(ctx: Context, file: AppFile): Encoding {
  const offered = (['br', 'gzip', 'identity'] as const).filter((encoding) => file.bytes[encoding] !== undefined);
  const accepted = ctx.acceptsEncodings([...offered]);
  return offered.find((encoding) => encoding === accepted) ?? 'identity';
}
