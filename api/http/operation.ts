/** The form in which every endpoint is written: its schemas, its documentation and its handler together. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Role } from '../../domain/roles.ts';
import type { FieldFault } from './errors.ts';
import type { Peer } from './peer.ts';
import type { Static, TSchema } from '../../schemas/schema.ts';
import type { Upload } from './upload.ts';

export type Method = 'get' | 'put' | 'patch' | 'post' | 'delete';

export interface Reply {
  status: number;
  /** JSON, unless it is a stream or a text with a content type of its own in `headers`. */
  body: unknown;
  headers?: Record<string, string | string[]>;
}

export interface ReplySpec {
  description: string;
  /** Absent for what is not JSON. */
  schema?: TSchema;
  example?: unknown;
  /** Of what is not JSON. */
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
  /** Aborted when the client closes the connection before it has its answer. */
  gone(): AbortSignal;
  /** Settles when the answer has been sent or its connection is closed. */
  answered(): Promise<void>;
}

export interface BodySpec<B extends TSchema> {
  schema: B;
  /** No body at all stands for an empty object. */
  isOptional?: boolean;
  /** What joins several fields and no schema can say. Asked beside the schema, hence for any value. */
  rules?: (value: unknown) => FieldFault[];
  example: unknown;
  /** Bytes, where the operation takes less than its API. */
  maxBytes?: number;
  /** The request's batch: more elements than `max`, or what else is too large in them, are told as the API's `oversizedBatch` says, before any fault of a field. */
  batch?: { field: string; max: number; isTooLarge?: (elements: readonly unknown[]) => boolean };
}

/** A body that is a file. */
export interface UploadSpec {
  /** What it may be, each with an example of its content. */
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
  /** Operations of one group share a rate limit of their own. */
  limitGroup?: 'output';
  /** Path parameters; all are texts. A fault is 400. */
  params?: P;
  /** Query parameters; arrays are comma lists. A fault is 400, unknown names are ignored. */
  query?: Q;
  body?: BodySpec<B>;
  /** Instead of `body`. The handler receives the file when it wants to. */
  upload?: UploadSpec;
  replies: Record<number, ReplySpec>;
  /** Statuses of errors beyond those every operation of the API may answer with. */
  errors: readonly number[];
  /** The cabinet only: the least role that may, where it is not what path and method say (api/auth/access.ts). */
  access?: Role;
  handle(request: OperationRequest<Caller, Static<P>, Static<Q>, Static<B>>, deps: Deps): Promise<Reply>;
}

/** What can be said of an operation without its types. */
export type AnyOperation = Omit<Operation<never, never>, 'handle'>;

/** Fixes the caller and the dependencies of an API; the rest follows from each operation's schemas. */
export function definer<Caller, Deps>() {
  return <P extends TSchema, Q extends TSchema, B extends TSchema>(
    operation: Operation<Caller, Deps, P, Q, B>,
  ): Operation<Caller, Deps> =>
    // Erases the schemas' types: what calls `handle` has validated against these very schemas.
    operation as unknown as Operation<Caller, Deps>;
}
