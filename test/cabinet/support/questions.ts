/** Tracks the requests of a page and their answers. */
import type { Page, Request } from 'playwright-core';
import { eventually } from '../../support/eventually.ts';

/** @returns a function that waits until all requests sent since are answered */
export function watchQuestions(page: Page): () => Promise<void> {
  const open = new Set<Request>();
  page.on('request', (request) => {
    if (request.resourceType() === 'fetch') open.add(request);
  });
  page.on('response', (answer) => {
    const close = (): void => void open.delete(answer.request());
    // Reports arrive one by one in the body and hold the user's place until its end. A page may leave the body of a
    // refusal unread.
    if (answer.ok()) answer.finished().then(close, close);
    else close();
  });
  page.on('requestfailed', (request) => void open.delete(request));
  return async () => void (await eventually(() => open.size === 0, 'every answer'));
}
