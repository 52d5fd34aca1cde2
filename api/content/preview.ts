/** Requests for output as the content API answers them, for somebody who only looks: nothing is kept or counted. */
import type { OutputDeps } from '../../output/serve/serve.ts';
import type { Static, TSchema } from '../../schemas/schema.ts';
import type { Validate } from '../../schemas/validation.ts';
import { validationFailed } from '../http/errors.ts';
import type { Operation } from '../http/operation.ts';
import type { ProjectCaller } from '../auth/projectKey.ts';
import { contentOperations } from './api.ts';
import type { ContentDeps } from './define.ts';
import type { OutputResponse } from './outputFields.ts';

/** The operations that answer with a list of items, by the names of their paths: `similar`, … */
const PREVIEWED = new Map(
  contentOperations.flatMap((operation) => {
    const answer = operation.replies[200]?.schema;
    const isList =
      operation.limitGroup === 'output' && answer !== undefined && 'recommendation_id' in propertiesOf(answer);
    return isList ? [[operation.path.replace(/^\/(recommendations\/)?/, ''), operation] as const] : [];
  }),
);

function propertiesOf(schema: TSchema): object {
  return (schema as { properties?: object }).properties ?? {};
}

export const PREVIEW_PATHS: readonly string[] = [...PREVIEWED.keys()];

/** @throws {HttpError} as the path does; faults of the request are told under `request` */
export type Preview = (
  caller: Pick<ProjectCaller, 'projectId' | 'fingerprints'>,
  path: string,
  request: Readonly<Record<string, unknown>>,
) => Promise<Static<typeof OutputResponse>>;

/** @param deps of the content API, whose answers are shown */
export function createPreview(deps: Omit<ContentDeps, 'describe'>): Preview {
  const looking = { ...deps, output: withoutTraces(deps.output), describe: () => ({}) };
  const validators = new Map<string, Validate>();
  return async (caller, path, request) => {
    const operation = PREVIEWED.get(path);
    if (!operation?.body) throw validationFailed([{ field: 'path', code: 'invalid_value' }]);
    const validate = validators.get(path) ?? deps.validators(operation.body.schema);
    validators.set(path, validate);
    const faults = [...validate(request), ...(operation.body.rules?.(request) ?? [])];
    if (faults.length > 0)
      throw validationFailed(
        faults.map((fault) => ({ ...fault, field: fault.field === '' ? 'request' : `request.${fault.field}` })),
      );
    const body = { ...request, explain: true };
    const reply = await operation.handle(asked({ ...caller, keyId: '', limits: {} }, body), looking);
    // No page comes after one that nobody has noted.
    return { ...(reply.body as Static<typeof OutputResponse>), next_cursor: null };
  };
}

type Asked = Parameters<Operation<ProjectCaller, ContentDeps>['handle']>[0];

/** What an operation for output looks at of its request. */
function asked(caller: ProjectCaller, body: unknown): Asked {
  return { caller, body } as Asked;
}

function withoutTraces(output: OutputDeps): OutputDeps {
  return {
    ...output,
    snapshots: { ...output.snapshots, add() {} },
    metrics: { answered() {} },
  };
}
