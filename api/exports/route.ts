/** GET /exports/{token}: the file of an export by its signed link, without a session. */
import type { Middleware } from 'koa';
import type pg from 'pg';
import type { BlobStore } from '../../platform/blobs/createBlobStore.ts';
import { findExportFile } from '../../db/reports/exports.ts';
import { loadSiteSettings } from '../../db/sites/siteSettings.ts';
import type { ExportLinks } from '../../domain/reports/exportLinks.ts';
import { CONTENT_TYPES } from '../../reports/exports/writeTable.ts';
import { forbidden, notFound } from '../http/errors.ts';
import { stateOf } from '../http/handling/requestState.ts';

const TOKEN = /^\/exports\/([A-Za-z0-9._-]{1,512})$/;

export interface ServeExportsDeps {
  links: ExportLinks;
  pool: pg.Pool;
  blobs: BlobStore;
  requireHttps: boolean;
}

/** The log contains the template of the route, since a token is a key. */
export function serveExports({ links, pool, blobs, requireHttps }: ServeExportsDeps): Middleware {
  return async (ctx, next) => {
    const token = TOKEN.exec(ctx.path)?.[1];
    if (token === undefined || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return next();
    const state = stateOf(ctx);
    state.route = '/exports/{token}';
    if (requireHttps && !state.peer.isHttps) throw forbidden();
    const link = links.open(token);
    if (!link) throw forbidden();
    state.siteId = link.siteId;
    // The site is checked at every request, so the links of a blocked site stop working at once.
    if ((await loadSiteSettings(pool, [link.siteId])).get(link.siteId)?.access !== 'open') throw forbidden();
    const file = await findExportFile(pool, link);
    const blob = file && (await blobs.open(file.blobKey));
    if (!file || !blob) throw notFound();
    ctx.status = 200;
    ctx.set({
      'Content-Type': CONTENT_TYPES[file.format],
      'Content-Disposition': `attachment; filename="${fileName(file)}"`,
      'Content-Length': String(blob.size),
      'Cache-Control': 'private, no-store',
      'Content-Security-Policy': "default-src 'none'; sandbox",
      'Referrer-Policy': 'no-referrer',
      'X-Robots-Tag': 'noindex',
    });
    // Koa answers HEAD without the stream, which must then be destroyed.
    if (ctx.method === 'HEAD') blob.stream.destroy();
    else ctx.body = blob.stream;
  };
}

function fileName({ report, format }: { report: object; format: string }): string {
  const { date_from: from, date_to: to } = report as { date_from: string; date_to: string };
  return `report-${from}-${to}.${format}`;
}
