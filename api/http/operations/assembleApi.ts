/** Assembles an API from its definition and its dependencies: the part that all of them have in common. */
import type { Api, ApiDefinition, CallerBase } from './apiDefinition.ts';
import { describeApi } from './openapi.ts';

/**
 * The parts that an installation adds to the definition: authentication, limits and the dependencies of the handlers.
 */
export type ApiParts<Caller extends CallerBase, Deps> = Pick<
  Api<Caller, Deps>,
  'authenticate' | 'accepts' | 'checkScope' | 'record' | 'limitOf'
> & {
  deps: Omit<Deps, 'describe'>;
  /** {@link Api.host} */
  host?: string | null;
};

/** The document of each definition, created on first use. */
const documents = new WeakMap<object, object>();

function documentOf<Caller extends CallerBase, Deps>(definition: ApiDefinition<Caller, Deps>): object {
  const known = documents.get(definition);
  if (known) return known;
  const made = describeApi(definition);
  documents.set(definition, made);
  return made;
}

/** Returns the API. */
export function assembleApi<Caller extends CallerBase, Deps extends { describe(): object }>(
  definition: ApiDefinition<Caller, Deps>,
  { deps, host = null, ...parts }: ApiParts<Caller, Deps>,
): Api<Caller, Deps> {
  const describe = (): object => documentOf(definition);
  // The handlers' dependencies are those above plus the document.
  return { ...definition, ...parts, host, deps: { ...deps, describe } as unknown as Deps, describe };
}
