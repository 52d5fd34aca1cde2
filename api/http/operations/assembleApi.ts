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

/** The document of each surface, created on first use. */
const documents = new WeakMap<object, object>();

function documentOf<Caller extends CallerBase, Deps>(surface: ApiSurface<Caller, Deps>): object {
  const known = documents.get(surface);
  if (known) return known;
  const made = describeApi(surface);
  documents.set(surface, made);
  return made;
}

/** Returns the API. */
export function assembleApi<Caller extends CallerBase, Deps extends { describe(): object }>(
  surface: ApiSurface<Caller, Deps>,
  { deps, host = null, ...parts }: ApiParts<Caller, Deps>,
): Api<Caller, Deps> {
  const describe = (): object => documentOf(surface);
  // The handlers' dependencies are those above plus the document.
  return { ...surface, ...parts, host, deps: { ...deps, describe } as unknown as Deps, describe };
}
