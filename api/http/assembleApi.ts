/** Assembles an API from its surface and its dependencies: the part that all of them have in common. */
import type { Api, ApiSurface, CallerBase } from './api.ts';
import { describeApi } from './openapi.ts';

/** The parts that an installation adds to the surface: authentication, limits and the dependencies of the handlers. */
export type ApiParts<Caller extends CallerBase, Deps> = Pick<
  Api<Caller, Deps>,
  'authenticate' | 'checkScope' | 'record' | 'limitOf'
> & {
  deps: Omit<Deps, 'describe'>;
  /** {@link Api.host} */
  host?: string | null;
};

/** Returns the API; its document is created on first use. */
export function assembleApi<Caller extends CallerBase, Deps extends { describe(): object }>(
  surface: ApiSurface<Caller, Deps>,
  { deps, host = null, ...parts }: ApiParts<Caller, Deps>,
): Api<Caller, Deps> {
  let document: object | undefined;
  const describe = (): object => (document ??= describeApi(surface));
  // The handlers' dependencies are those above plus the document.
  return { ...surface, ...parts, host, deps: { ...deps, describe } as unknown as Deps, describe };
}
