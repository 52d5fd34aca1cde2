/** The state of a request in progress; filled by the outer layers, read by the log and the metrics. */
import type { Context } from 'koa';
import type { Admission } from '../limits/clientIpLimits.ts';
import type { Peer } from '../limits/trustedProxies.ts';
import type { ErrorTexts } from '../errorMessages.ts';

export interface RequestState {
  requestId: string;
  peer: Peer;
  /** Template of the matched route; null for a path that is not served. */
  route: string | null;
  projectId: string | null;
  siteId: string | null;
  texts: ErrorTexts;
  /** Level of its log line: `debug` for frequent requests that succeeded. */
  logLevel: 'info' | 'debug';
  /** Null outside /api/. */
  admission: Admission | null;
}

export function stateOf(ctx: Context): RequestState {
  return ctx.state as unknown as RequestState;
}
