/** Sends requests from the tag to the server. */
import type { Answer } from './sendQueue.ts';

const ANSWER_TIMEOUT_MS = 30_000;

/** A content type that needs no preflight request. */
export const TEXT = 'text/plain;charset=UTF-8';

/** Posts with keepalive, so that the request outlives the page. */
export async function post(url: string, body: string): Promise<Answer> {
  const controller = new AbortController();
  const limit = setTimeout(() => controller.abort(), ANSWER_TIMEOUT_MS);
  try {
    const init: RequestInit = {
      method: 'POST',
      body,
      headers: { 'Content-Type': TEXT },
      credentials: 'omit',
      keepalive: true,
      signal: controller.signal,
    };
    const response = await fetch(url, init);
    const seconds = Number(response.headers.get('Retry-After'));
    const answer = { status: response.status, retryAfter: seconds > 0 ? seconds : null };
    return { ...answer, body: response.status === 202 ? await response.json().catch(() => null) : null };
  } finally {
    clearTimeout(limit);
  }
}

/** Returns false when the browser does not accept the body. */
export function beacon(url: string, body: string): boolean {
  try {
    return navigator.sendBeacon(url, body);
  } catch {
    return false;
  }
}

/** Returns localStorage where it works: in some modes it is missing, null, or throws. */
export function openStorage(): Storage | null {
  try {
    const storage = localStorage;
    storage.setItem('_svc_t', '1');
    storage.removeItem('_svc_t');
    return storage;
  } catch {
    return null;
  }
}
