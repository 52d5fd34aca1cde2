/** What makes a set of operations one API. */
import type { IncomingMessage } from 'node:http';
import type { AnyOperation, Operation } from './operation.ts';
import type { Peer } from './peer.ts';
import type { RateLimit } from './rateLimiter.ts';
import type { ErrorTexts } from './texts.ts';

/** What is known of a request before its caller is. */
export interface Arrival {
  operation: AnyOperation;
  peer: Peer;
}

/** Fields of the caller that the log of a request names. */
export interface CallerBase {
  projectId?: string;
  siteId?: string;
}

/** A request as it is known once it is answered. */
export interface RecordedRequest<Caller> {
  caller: Caller;
  operation: AnyOperation;
  /** As far as they were read. */
  params: Readonly<Record<string, string>>;
  body: unknown;
  ip: string;
  status: number;
  requestId: string;
}

export interface ApiDescription {
  title: string;
  version: string;
  description: string;
  /** Where it is served on every host. */
  basePath: string;
  /** OpenAPI security scheme. */
  security: { name: string; description: string };
  /** A cookie that does instead, when there is one: its scheme, its name, and what there is to know. */
  cookie?: { name: string; cookie: string; description: string };
  /** Described tags, in the order of the document. */
  tags: readonly { name: string; description: string }[];
}

/** What an API is whoever serves it: its operations, its words, its limits of size. */
export interface ApiSurface<Caller extends CallerBase, Deps> {
  description: ApiDescription;
  texts: ErrorTexts;
  /** Under which path `host` serves it. */
  hostPath: string;
  operations: readonly Operation<Caller, Deps>[];
  publicOperations: readonly Operation<null, Deps>[];
  /** A body may have so many bytes. */
  maxBodyBytes: number;
  /** What a request is refused with whose batch has more elements than it may: 413, or 422 `too_many` of the list. */
  oversizedBatch: 'payload_too_large' | 'too_many';
}

export interface Api<Caller extends CallerBase, Deps> extends ApiSurface<Caller, Deps> {
  /** Another host name that serves the API under `hostPath`, when configured. */
  host: string | null;
  deps: Deps;
  /** The OpenAPI document. */
  describe(): object;
  /** Who asks. @throws {HttpError} 401 or 403 */
  authenticate(request: IncomingMessage, arrival: Arrival): Promise<Caller>;
  /** What an operation may be carried out on, asked once its input is known to be well-formed. @throws {HttpError} 404 */
  checkScope?(caller: Caller, operation: AnyOperation, params: unknown): void;
  /** Told of every request that came within its caller's limits, before it is answered. It does not throw. */
  record?(request: RecordedRequest<Caller>): Promise<void>;
  /** The bucket of a caller's requests for an operation; null when only the address limits it. */
  limitOf(caller: Caller, operation: AnyOperation): { key: string; limit: RateLimit } | null;
}
