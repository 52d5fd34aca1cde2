/** An API of what it serves and of what it needs: the part in which all of them are alike. */
import type { Api, ApiSurface, CallerBase } from './api.ts';
import { describeApi } from './openapi.ts';

/** What an installation adds to the surface: who may ask, how often, and what the handlers work with. */
export type ApiParts<Caller extends CallerBase, Deps> = Pick<
  Api<Caller, Deps>,
  'authenticate' | 'checkScope' | 'record' | 'limitOf'
> & {
  deps: Omit<Deps, 'describe'>;
  /** {@link Api.host} */
  host?: string | null;
};

/** The API; its document is made once, when it is asked for first. */
export function assembleApi<Caller extends CallerBase, Deps extends { describe(): object }>(
  surface: ApiSurface<Caller, Deps>,
  { deps, host = null, ...parts }: ApiParts<Caller, Deps>,
): Api<Caller, Deps> {
  let document: object | undefined;
  const describe = (): object => (document ??= describeApi(surface));
  // What the handlers get is what was left out above, and the document.
  return { ...surface, ...parts, host, deps: { ...deps, describe } as unknown as Deps, describe };
}
