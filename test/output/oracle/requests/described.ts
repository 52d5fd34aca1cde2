/** The paths of an API and the fields of each, from its own description. */
import type { TestApi } from '../../../api/support/testApi.ts';
import { PATHS, type Path } from './paths.ts';

interface Schema {
  $ref?: string;
  properties?: Record<string, unknown>;
}

interface Description {
  paths: Record<string, { post?: { requestBody?: { content: Record<string, { schema: Schema }> } } }>;
  components: { schemas: Record<string, Schema> };
}

export function describedPaths({ server }: TestApi): Map<Path, Set<string>> {
  const mount = server.described.find(({ basePath }) => basePath.startsWith('/content'));
  if (!mount) throw new Error('the content API is not described');
  const { paths, components } = mount.describe() as unknown as Description;
  return new Map(
    PATHS.flatMap((path): [Path, Set<string>][] => {
      const schema = paths[path.url]?.post?.requestBody?.content['application/json']?.schema;
      const known = schema?.$ref === undefined ? schema : components.schemas[schema.$ref.split('/').at(-1) ?? ''];
      return known?.properties ? [[path, new Set(Object.keys(known.properties))]] : [];
    }),
  );
}
