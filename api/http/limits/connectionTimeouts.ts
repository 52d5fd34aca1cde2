/** Time limits of connections and requests; bodies (../requestBody.ts) and uploads (../upload.ts) have their own. */
import type { IncomingMessage } from 'node:http';
import { isReadingBody } from '../requestBody.ts';
import { isUpload, UPLOAD_TIMEOUT_MS } from '../upload.ts';

/** Stops clients that trickle anything but a body, whose reading has its own limit. */
export const REQUEST_TIMEOUT_MS = 60_000;
const HEADERS_TIMEOUT_MS = 15_000;
/** Longer than the idle timeout of common proxies, which would otherwise send requests to closed connections. */
const KEEP_ALIVE_MS = 65_000;

/** The limits that Node applies itself; its limit for a request has no exceptions, so it has to allow uploads. */
export const NODE_TIMEOUTS = {
  requestTimeout: UPLOAD_TIMEOUT_MS,
  headersTimeout: HEADERS_TIMEOUT_MS,
  keepAliveTimeout: KEEP_ALIVE_MS,
} as const;

/** Ends a request that is not complete after `afterMs`, unless it is an upload or its body is being read. */
export function destroySlowRequest(request: IncomingMessage, afterMs: number): void {
  const timer = setTimeout(() => {
    if (!request.complete && !isUpload(request) && !isReadingBody(request)) request.socket.destroy();
  }, afterMs);
  timer.unref();
  request.once('close', () => clearTimeout(timer));
}
