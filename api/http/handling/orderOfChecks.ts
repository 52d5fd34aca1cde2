/**
 * Turns an operation into a Koa handler. The order of checks is part of the contract: 404 (the router) → 403 https →
 * 401/403 → 429 → 413 bytes → 400 → 413 or 422 batch → 422 → 404 out of scope → the handler's own 404 and work.
 */
import type { Context, Middleware } from 'koa';
import type { Api, CallerBase } from '../operations/apiDefinition.ts';
import { parseJson, readBody, type BodyLimits } from '../requestBody.ts';
import { forbidden, HttpError, payloadTooLarge, rateLimited, validationFailed } from '../errors.ts';
import type { AnyOperation, BodySpec, Operation, Reply } from '../operations/operation.ts';
import { pathReader, queryReader, type MatchedPath, type ReadParameters } from '../parameters.ts';
import type { RateLimiter } from '../limits/rateLimiter.ts';
import type { TSchema } from '../../../domain/schemas/schema.ts';
import { stateOf } from './requestState.ts';
import { announceUpload, type Upload, type UploadLimits } from '../upload.ts';
import { joinFaults, type CompileValidator, type Validate } from '../../../domain/schemas/validation.ts';

export interface Services {
  validators: CompileValidator;
  limiter: RateLimiter;
  bodyLimits: BodyLimits;
  uploadLimits: UploadLimits;
  requireHttps: boolean;
}

/** Returns the handler of an operation. A public one has no caller. */
export function toMiddleware<Caller extends CallerBase, Deps>(
  api: Api<Caller, Deps>,
  operation: Operation<Caller, Deps> | Operation<null, Deps>,
  identify: ((ctx: Context) => Promise<Caller>) | null,
  services: Services,
): Middleware {
  const readParams = parameterReader(operation.params, pathReader, services);
  const readInput = inputReader(api, operation, readParams, services);
  return async (ctx) => {
    const state = stateOf(ctx);
    state.route = api.description.basePath + operation.path;
    if (services.requireHttps && !state.peer.isHttps) throw forbidden();
    const caller = identify ? await identify(ctx) : null;
    state.projectId = caller?.projectId ?? null;
    state.siteId = caller?.siteId ?? null;
    const parsed: ParsedInput = { params: {}, body: undefined };
    const record = async (status: number): Promise<void> => {
      if (caller === null) return;
      const { requestId, peer } = state;
      await api.record?.({ caller, operation, ...parsed, ip: peer.ip, status, requestId });
    };
    if (caller && api.accepts?.(caller, operation) === false) {
      parsed.params = paramsIfValid(readParams, ctx);
      // Counted as well, so that refusals cannot fill the record faster than other requests.
      if ((await takeOwnTurn(api, caller, operation, services.limiter)) === 0) await record(403);
      throw forbidden();
    }
    state.admission?.check();
    const wait = caller ? await takeOwnTurn(api, caller, operation, services.limiter) : 0;
    if (wait > 0) throw rateLimited(wait);
    const work = async (): Promise<Reply> => {
      const input = await readInput(ctx, (params) => (parsed.params = params));
      parsed.body = input.body;
      if (caller) api.checkScope?.(caller, operation, input.params);
      // `identify` is null exactly for public operations, whose caller type is null.
      const handle = operation.handle as Operation<Caller | null, Deps>['handle'];
      return handle(
        {
          ...input,
          caller,
          requestId: state.requestId,
          headers: ctx.req.headers,
          peer: state.peer,
          disconnectSignal: () => disconnectSignal(ctx),
          responseClosed: () => responseClosed(ctx),
        },
        api.deps,
      );
    };
    send(ctx, await recorded(work, record));
  };
}

type Params = Readonly<Record<string, string>>;

/** The parts of a request's input that were parsed. */
interface ParsedInput {
  params: Params;
  body: unknown;
}

/** Returns no parameters when one of them is invalid. */
function paramsIfValid(readParams: ReadParameters<MatchedPath>, ctx: Context): Params {
  try {
    return readParams(ctx as unknown as MatchedPath) as Params;
  } catch {
    return {};
  }
}

/** Returns the reply or throws the error, after it has been recorded. */
async function recorded(work: () => Promise<Reply>, record: (status: number) => Promise<void>): Promise<Reply> {
  const reply = await work().catch(async (error: unknown) => {
    await record(error instanceof HttpError ? error.status : 500);
    throw error;
  });
  await record(reply.status);
  return reply;
}

/**
 * Returns a signal that is aborted when the client closes the connection before the response: for the few operations
 * that run long enough for this to matter.
 */
export function disconnectSignal({ res }: Pick<Context, 'res'>): AbortSignal {
  const controller = new AbortController();
  if (res.destroyed) controller.abort();
  res.once('close', () => {
    if (!res.writableFinished) controller.abort();
  });
  return controller.signal;
}

function responseClosed({ res }: Context): Promise<void> {
  return new Promise((resolve) => {
    if (res.closed || res.destroyed) resolve();
    else res.once('close', resolve);
  });
}

/** Counts a request for its caller's own limit. @returns 0, or the seconds until the caller may make another one */
async function takeOwnTurn<Caller extends CallerBase>(
  api: Pick<Api<Caller, never>, 'limitOf'>,
  caller: Caller,
  operation: AnyOperation,
  limiter: RateLimiter,
): Promise<number> {
  const own = api.limitOf(caller, operation);
  return own ? limiter.take(own.key, own.limit) : 0;
}

/** @param onParams called with the path's parameters once they are valid, whatever the rest of the input is */
type ReadInput = (
  ctx: Context,
  onParams: (params: Params) => void,
) => Promise<{ params: unknown; query: unknown; body: unknown; upload?: Upload }>;

/** Size limits of an API. */
type Sizes = Pick<Api<never, never>, 'maxBodyBytes' | 'oversizedBatch'>;

function inputReader(
  sizes: Sizes,
  operation: Pick<Operation<null, never>, 'query' | 'body' | 'upload'>,
  readParams: ReadParameters<MatchedPath>,
  services: Services,
): ReadInput {
  const readQuery = parameterReader(operation.query, queryReader, services);
  const readOwnBody = operation.body && bodyReader(sizes, operation.body, services);
  const types = operation.upload && Object.keys(operation.upload.contentTypes);
  return async (ctx, onParams) => {
    // Bytes come first: a body over the limit is 413 even when a parameter is invalid as well.
    const parse = await readOwnBody?.(ctx);
    const upload = types && (await announceUpload(ctx.req, ctx.res, types, services.uploadLimits));
    const params = readParams(ctx as unknown as MatchedPath);
    onParams(params as Params);
    const query = readQuery(ctx.querystring);
    return { params, query, body: parse?.(), ...(upload && { upload }) };
  };
}

function parameterReader<From>(
  schema: TSchema | undefined,
  reader: (schema: TSchema, validate: Validate) => ReadParameters<From>,
  services: Services,
): ReadParameters<From> {
  return schema ? reader(schema, services.validators(schema)) : () => ({});
}

/** Returns a function that reads the bytes and returns their parser and validator. */
function bodyReader(
  { maxBodyBytes, oversizedBatch }: Sizes,
  spec: BodySpec<TSchema>,
  services: Services,
): (ctx: Context) => Promise<() => unknown> {
  const validate = services.validators(spec.schema);
  const limits = {
    ...services.bodyLimits,
    maxBytes: Math.min(services.bodyLimits.maxBytes, spec.maxBytes ?? maxBodyBytes),
  };
  return async (ctx) => {
    const bytes = await readBody(ctx.req, ctx.res, limits);
    return () => {
      const value = spec.isOptional && bytes.length === 0 ? {} : parseJson(ctx.req, bytes);
      if (spec.batch && exceeds(value, spec.batch))
        throw oversizedBatch === 'too_many' ? tooMany(spec.batch) : payloadTooLarge();
      const faults = joinFaults(validate(value), spec.rules?.(value) ?? []);
      if (faults.length > 0) throw validationFailed(faults);
      return value;
    };
  };
}

function exceeds(value: unknown, { field, max, isTooLarge }: NonNullable<BodySpec<TSchema>['batch']>): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const list = (value as Record<string, unknown>)[field];
  return Array.isArray(list) && (list.length > max || (isTooLarge?.(list) ?? false));
}

function tooMany({ field, max }: NonNullable<BodySpec<TSchema>['batch']>): HttpError {
  return validationFailed([{ field, code: 'too_many', limit: max }]);
}

function send(ctx: Context, reply: Reply): void {
  ctx.status = reply.status;
  ctx.set(reply.headers ?? {});
  ctx.body = reply.body;
}
