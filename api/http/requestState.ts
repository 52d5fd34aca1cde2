/** What is known of a request on its way; filled by the outer layers, read by the log and the metrics. */
import type { Context } from 'koa';
import type { Admission } from './addressGate.ts';
import type { Peer } from './peer.ts';
import type { ErrorTexts } from './texts.ts';

export interface RequestState {
  requestId: string;
  peer: Peer;
  /** Template of the matched route; null for a path that nothing serves. */
  route: string | null;
  projectId: string | null;
  siteId: string | null;
  texts: ErrorTexts;
  /** Of its line in the log: `debug` for what comes by the thousand and went well. */
  logLevel: 'info' | 'debug';
  /** Null outside of /api/. */
  admission: Admission | null;
}

export function stateOf(ctx: Context): RequestState {
  return ctx.state as unknown as RequestState;
}
