/** What makes a set of operations one API. */
import type { IncomingMessage } from 'node:http';
import type { Operation } from './operation.ts';
import type { RateLimit } from './rateLimiter.ts';
import type { ErrorTexts } from './texts.ts';

/** Fields of the caller that the log of a request names. */
export interface CallerBase {
  projectId?: string;
}

export interface ApiDescription {
  title: string;
  version: string;
  description: string;
  /** Where it is served on every host. */
  basePath: string;
  /** OpenAPI security scheme. */
  security: { name: string; description: string };
  /** Described tags, in the order of the document. */
  tags: readonly { name: string; description: string }[];
}

export interface Api<Caller extends CallerBase, Deps> {
  description: ApiDescription;
  texts: ErrorTexts;
  /** Another host name that serves the API under `hostPath`, when configured. */
  host: string | null;
  hostPath: string;
  operations: readonly Operation<Caller, Deps>[];
  publicOperations: readonly Operation<null, Deps>[];
  deps: Deps;
  /** The OpenAPI document. */
  describe(): object;
  /** Who asks. @throws {HttpError} 401 or 403 */
  authenticate(request: IncomingMessage): Promise<Caller>;
  /** The bucket of a caller's own requests; null when only the address limits it. */
  limitOf(caller: Caller): { key: string; limit: RateLimit } | null;
}
