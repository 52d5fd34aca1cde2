/** Finds the API by the path's base (or the host name), then the operation in it. */
import Router from '@koa/router';
import type { Context, Middleware } from 'koa';
import type { ClientIpLimiter } from '../limits/clientIpLimits.ts';
import type { Api, CallerBase } from '../operations/apiDefinition.ts';
import { notFound } from '../errors.ts';
import { toMiddleware, type Services } from './orderOfChecks.ts';
import { stateOf } from './requestState.ts';
import type { ErrorTexts } from '../errorMessages.ts';

/** An API and its description, however it is served. */
export interface DescribedApi {
  basePath: string;
  /** The routes that are actually served, for the check of the description. */
  routes: readonly { method: string; path: string }[];
  /** The OpenAPI document. */
  describe(): object;
}

/** One API ready to be served, without its types. */
export interface Mount extends DescribedApi {
  host: string | null;
  hostPath: string;
  texts: ErrorTexts;
  /** Expects `ctx.path` relative to the base; calls the next middleware when no operation matches. */
  middleware: Middleware;
}

export function mount<Caller extends CallerBase, Deps>(api: Api<Caller, Deps>, services: Services): Mount {
  const router = new Router({ sensitive: true, strict: true });
  for (const operation of api.publicOperations) {
    router.register(
      routerPath(operation.path),
      [operation.method.toUpperCase()],
      toMiddleware(api, operation, null, services),
    );
  }
  for (const operation of api.operations) {
    const identify = (ctx: Context): Promise<Caller> =>
      api.authenticate(ctx.req, { operation, peer: stateOf(ctx).peer });
    router.register(
      routerPath(operation.path),
      [operation.method.toUpperCase()],
      toMiddleware(api, operation, identify, services),
    );
  }
  const { host, hostPath, texts, describe } = api;
  return {
    basePath: api.description.basePath,
    host,
    hostPath,
    texts,
    describe,
    routes: routesOf(router),
    middleware: router.routes() as unknown as Middleware,
  };
}

function routesOf(router: Router): Mount['routes'] {
  // The router adds HEAD to every GET; serveMounts answers it before the router sees it.
  return router.stack.flatMap((layer) =>
    layer.methods
      .filter((method) => method !== 'HEAD')
      .map((method) => ({
        method: method.toLowerCase(),
        path: String(layer.path).replaceAll(/:(\w+)/g, '{$1}'),
      })),
  );
}

/**
 * Serves the mounts; everything else goes to the next middleware. Requests to them count towards the limits of the
 * client's address.
 */
export function serveMounts(mounts: readonly Mount[], gate: ClientIpLimiter): Middleware {
  return async (ctx, next) => {
    const found = findMount(ctx, mounts);
    if (!found) return next();
    const state = stateOf(ctx);
    state.texts = found.mount.texts;
    state.admission = await gate.admit(state.peer.ip, ctx.res);
    // The router would answer HEAD wherever there is GET; here a path only has the methods it documents.
    if (ctx.method === 'HEAD') throw notFound();
    ctx.path = found.path;
    return found.mount.middleware(ctx, () => {
      throw notFound();
    });
  };
}

function findMount(ctx: Context, mounts: readonly Mount[]): { mount: Mount; path: string } | null {
  // A final dot only says that the name is complete.
  const hostName = (ctx.req.headers.host ?? '').replace(/\.?(:\d*)?$/, '').toLowerCase();
  for (const candidate of mounts) {
    const bases =
      candidate.host?.toLowerCase() === hostName ? [candidate.basePath, candidate.hostPath] : [candidate.basePath];
    const base = bases.find((path) => ctx.path.startsWith(`${path}/`));
    if (base !== undefined) return { mount: candidate, path: ctx.path.slice(base.length) };
  }
  return null;
}

function routerPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}
