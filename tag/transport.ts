/** How the tag reaches the server. */
import type { Answer } from './outbox.ts';

const ANSWER_LIMIT_MS = 30_000;

/** A type that needs no preflight request. */
export const TEXT = 'text/plain;charset=UTF-8';

/** keepalive: the request outlives the page. */
export async function post(url: string, body: string): Promise<Answer> {
  const controller = new AbortController();
  const limit = setTimeout(() => controller.abort(), ANSWER_LIMIT_MS);
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

/** False when the browser does not take it. */
export function beacon(url: string, body: string): boolean {
  try {
    return navigator.sendBeacon(url, body);
  } catch {
    return false;
  }
}

/** localStorage where it works: it is missing, throws or is null in some modes. */
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
