/** Tracks the requests of a page and their answers. */
import type { Page, Request } from 'playwright-core';
import { eventually } from '../../support/eventually.ts';

/** @returns a function that waits until all requests sent since are answered */
export function watchQuestions(page: Page): () => Promise<void> {
  const open = new Set<Request>();
  page.on('request', (request) => {
    if (request.resourceType() === 'fetch') open.add(request);
  });
  const close = (request: Request): void => void open.delete(request);
  // Reports arrive one by one in the body and keep the user's slot until its end. A page may leave the body of a
  // refusal unread.
  page.on('response', (answer) => {
    if (!answer.ok()) close(answer.request());
  });
  // Response.finished() would report the same, but formats the stack of an error for each answer.
  page.on('requestfinished', close);
  page.on('requestfailed', close);
  return async () => void (await eventually(() => open.size === 0, 'every answer'));
}
