/** The only access to data: the generated client of the cabinet API, with the session cookie. */
import { createCabinetClient } from '../../../clients/typescript/src/index.ts';
import { pageLanguage } from '../words/language.ts';

export { AttuneError } from '../../../clients/typescript/src/error.ts';
export type { cabinet } from '../../../clients/typescript/src/index.ts';

export const api = createCabinetClient({ baseUrl: '/cabinet/api', fetch: fetchInPageLanguage });

/** Sets the language of requests: the browser would send its own language, which may differ from the page's. */
function fetchInPageLanguage(...[input, init]: Parameters<typeof fetch>): Promise<Response> {
  const request = new Request(input, init);
  request.headers.set('Accept-Language', pageLanguage());
  return fetch(request);
}
