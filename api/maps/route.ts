/**
 * GET /maps/{token}/clicks and /maps/{token}/scrolls: the maps of a page by their signed link, for a script in the page
 * itself.
 */
import type { Context, Middleware } from 'koa';
import type pg from 'pg';
import { loadSiteSettings } from '../../db/sites/siteSettings.ts';
import type { MapLink, MapLinks } from '../../domain/sites/mapLinks.ts';
import type { Static } from '../../domain/schemas/schema.ts';
import type { CompileValidator } from '../../domain/schemas/validation.ts';
import type { SiteSettings } from '../../domain/sites/siteSettings.ts';
import { pageQuery, segmentNamed, toClicks, toScrolls } from '../cabinet/recordings/pageMapFields.ts';
import { allowOrigin } from '../collect/checks/cors.ts';
import { forbidden, invalidRequest } from '../http/errors.ts';
import { disconnectSignal } from '../http/handling/orderOfChecks.ts';
import { stateOf } from '../http/handling/requestState.ts';
import { ENGLISH } from '../http/errorMessages.ts';
import { queryReader } from '../http/parameters.ts';
import { queryLake, type RunReportDeps } from '../reports/runForClient.ts';

const PATH = /^\/maps\/([A-Za-z0-9._-]{1,512})\/(clicks|scrolls)$/;
/** Maximum number of concurrent requests for all links of a site: each is a report. */
const SIMULTANEOUS = 2;

export interface ServeMapsDeps extends RunReportDeps {
  links: MapLinks;
  pool: pg.Pool;
  validators: CompileValidator;
  requireHttps: boolean;
}

/** The log contains the template of the route, since a token is a key. */
export function serveMaps(deps: ServeMapsDeps): Middleware {
  const readQuery = queryReader(pageQuery, deps.validators(pageQuery));
  return async (ctx, next) => {
    const [, token, kind] = PATH.exec(ctx.path) ?? [];
    if (token === undefined || kind === undefined || ctx.method !== 'GET') return next();
    const state = stateOf(ctx);
    state.route = `/maps/{token}/${kind}`;
    state.texts = ENGLISH;
    // The request comes from a page of the site, which has another origin. The token is the only credential.
    allowOrigin(ctx);
    if (deps.requireHttps && !state.peer.isHttps) throw forbidden();
    const link = deps.links.open(token);
    if (!link) throw forbidden();
    state.siteId = link.siteId;
    const site = (await loadSiteSettings(deps.pool, [link.siteId])).get(link.siteId);
    if (site?.access !== 'open') throw forbidden();
    // As in the cabinet: a page that has a map there has one here.
    const { page } = readQuery(ctx.querystring) as Static<typeof pageQuery>;
    ctx.body = await mapOf(deps, kind, page, link, site, ctx);
    ctx.status = 200;
    ctx.set('Cache-Control', 'private, no-store');
  };
}

async function mapOf(
  deps: ServeMapsDeps,
  kind: string,
  page: string,
  { from, to, device, segment: id }: MapLink,
  site: SiteSettings,
  ctx: Context,
): Promise<object> {
  const { segment, faults } = await segmentNamed(deps, site, id ?? undefined);
  if (faults.length > 0) throw invalidRequest(faults);
  const question = { page, date_from: from, date_to: to, device, segment };
  const asking = {
    slot: { key: `site-maps/${site.siteId}`, max: SIMULTANEOUS },
    signal: disconnectSignal(ctx),
    segmentField: 'segment',
  };
  return kind === 'clicks'
    ? toClicks(question, site, await queryLake(deps, 'clicks', question, site, asking))
    : toScrolls(question, site, await queryLake(deps, 'scrolls', question, site, asking));
}
