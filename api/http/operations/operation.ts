/** The form of every endpoint: its schemas, documentation and handler together. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Role } from '../../../domain/accounts/roles.ts';
import type { FieldFault } from '../errors.ts';
import type { Peer } from '../limits/trustedProxies.ts';
import type { Static, TSchema } from '../../../domain/schemas/schema.ts';
import type { Upload } from '../upload.ts';

export type Method = 'get' | 'put' | 'patch' | 'post' | 'delete';

export interface Reply {
  status: number;
  /** JSON, unless it is a stream or a text with its own content type in `headers`. */
  body: unknown;
  headers?: Record<string, string | string[]>;
}

export interface ReplySpec {
  description: string;
  /** Missing for a reply that is not JSON. */
  schema?: TSchema;
  example?: unknown;
  /** For a reply that is not JSON. */
  contentType?: string;
}

export interface OperationRequest<Caller, P = unknown, Q = unknown, B = unknown> {
  caller: Caller;
  params: P;
  query: Q;
  body: B;
  /** Set for operations with an {@link UploadSpec}. */
  upload?: Upload;
  requestId: string;
  headers: IncomingHttpHeaders;
  peer: Peer;
  /** Aborted when the client closes the connection before the response. */
  disconnectSignal(): AbortSignal;
  /** Resolves when the response has been sent or its connection is closed. */
  responseClosed(): Promise<void>;
}

export interface BodySpec<B extends TSchema> {
  schema: B;
  /** A missing body counts as an empty object. */
  isOptional?: boolean;
  /**
   * Rules across several fields that a schema cannot express. They run even if the schema found faults, so they must
   * accept any value.
   */
  rules?: (value: unknown) => FieldFault[];
  example: unknown;
  /** Size limit in bytes, when it is lower than that of the API. */
  maxBytes?: number;
  /**
   * The request's batch: more than `max` elements, or other excessive sizes in them, are reported as the API's
   * `oversizedBatch`, before any fault of a field.
   */
  batch?: { field: string; max: number; isTooLarge?: (elements: readonly unknown[]) => boolean };
}

/** A body that is a file. */
export interface UploadSpec {
  /** Accepted content types, each with an example of its content. */
  contentTypes: Readonly<Record<string, string>>;
}

export interface Operation<
  Caller,
  Deps,
  P extends TSchema = TSchema,
  Q extends TSchema = TSchema,
  B extends TSchema = TSchema,
> {
  method: Method;
  /** `/items/{id}`, relative to the API's base. */
  path: string;
  operationId: string;
  summary: string;
  description?: string;
  tag: string;
  /** Operations of a group share a separate rate limit. */
  limitGroup?: 'output';
  /** Path parameters, all of them texts. A fault is 400. */
  params?: P;
  /** Query parameters; arrays are comma-separated. A fault is 400, unknown names are ignored. */
  query?: Q;
  body?: BodySpec<B>;
  /** Instead of `body`. The handler starts the transfer itself ({@link Upload.saveTo}). */
  upload?: UploadSpec;
  replies: Record<number, ReplySpec>;
  /** Statuses of errors besides those that every operation of the API may return. */
  errors: readonly number[];
  /**
   * Only in the cabinet: the lowest role allowed, when it does not follow from path and method (api/auth/access.ts).
   */
  access?: Role;
  handle(request: OperationRequest<Caller, Static<P>, Static<Q>, Static<B>>, deps: Deps): Promise<Reply>;
}

/** The part of an operation that does not depend on its types. */
export type AnyOperation = Omit<Operation<never, never>, 'handle'>;

/** Fixes the caller and the dependencies of an API; the rest is inferred from each operation's schemas. */
export function definer<Caller, Deps>() {
  return <P extends TSchema, Q extends TSchema, B extends TSchema>(
    operation: Operation<Caller, Deps, P, Q, B>,
  ): Operation<Caller, Deps> =>
    // Erases the schemas' types: callers of `handle` have validated against these schemas.
    operation as unknown as Operation<Caller, Deps>;
}
