/** The definition of an API from its operations. */
import type { IncomingMessage } from 'node:http';
import type { AnyOperation, Operation } from './operation.ts';
import type { Peer } from '../limits/trustedProxies.ts';
import type { RateLimit } from '../limits/rateLimiter.ts';
import type { ErrorTexts } from '../errorMessages.ts';

/** A request before its caller is known. */
export interface IncomingRequest {
  operation: AnyOperation;
  peer: Peer;
}

/** Fields of the caller in the log of a request. */
export interface CallerBase {
  projectId?: string;
  siteId?: string;
}

/** A request after it is answered. */
export interface RecordedRequest<Caller> {
  caller: Caller;
  operation: AnyOperation;
  /** As far as they were parsed. */
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
  /** Path under which it is served on every host. */
  basePath: string;
  /** OpenAPI security scheme. */
  security: { name: string; description: string };
  /** An alternative cookie, if there is one: its scheme, its name and its description. */
  cookie?: { name: string; cookie: string; description: string };
  /** Described tags, in the order of the document. */
  tags: readonly { name: string; description: string }[];
}

/** The parts of an API that do not depend on the installation: its operations, texts and size limits. */
export interface ApiDefinition<Caller extends CallerBase, Deps> {
  description: ApiDescription;
  texts: ErrorTexts;
  /** Path under which `host` serves it. */
  hostPath: string;
  operations: readonly Operation<Caller, Deps>[];
  publicOperations: readonly Operation<null, Deps>[];
  /** Maximum size of a body in bytes. */
  maxBodyBytes: number;
  /** The error for a batch with too many elements: 413, or 422 `too_many` of the list. */
  oversizedBatch: 'payload_too_large' | 'too_many';
}

export interface Api<Caller extends CallerBase, Deps> extends ApiDefinition<Caller, Deps> {
  /** Another host name that serves the API under `hostPath`, if configured. */
  host: string | null;
  deps: Deps;
  /** The OpenAPI document. */
  describe(): object;
  /** Returns the caller. @throws {HttpError} 401 or 403 */
  authenticate(request: IncomingMessage, arrival: IncomingRequest): Promise<Caller>;
  /** Returns false when the caller's role is not enough for the operation: the answer is then 403. */
  accepts?(caller: Caller, operation: AnyOperation): boolean;
  /**
   * Checks that the caller may access the tenant of the request, once its input is known to be well-formed.
   * @throws {HttpError} 404
   */
  checkScope?(caller: Caller, operation: AnyOperation, params: unknown): void;
  /** Records every request within its caller's rate limits, before it is answered. Never throws. */
  record?(request: RecordedRequest<Caller>): Promise<void>;
  /** Returns the bucket of a caller's requests for an operation; null when only the address limits it. */
  limitOf(caller: Caller, operation: AnyOperation): { key: string; limit: RateLimit } | null;
}
