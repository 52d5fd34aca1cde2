/** Previews of output requests: the responses of the content API without storing or counting anything. */
import type { OutputDeps } from '../../../../output/serve/serveOutput.ts';
import type { Static, TSchema } from '../../../../domain/schemas/schema.ts';
import type { Validate } from '../../../../domain/schemas/validation.ts';
import { HttpError, validationFailed, type FieldFault } from '../../../http/errors.ts';
import type { Operation } from '../../../http/operations/operation.ts';
import type { ProjectCaller } from '../../../auth/projectKey.ts';
import { outputOperations } from '../../../content/output/outputOperations.ts';
import type { ContentDeps } from '../../../content/contentOperation.ts';
import type { OutputResponse } from '../../../content/output/outputFields.ts';
import type { SuggestResponse } from '../../../content/output/searchFields.ts';

/** The operations of output by the names of their paths: `similar`, `search/suggest`, … */
const PREVIEW_OPERATIONS = new Map(
  outputOperations.map((operation) => [operation.path.replace(/^\/(recommendations\/)?/, ''), operation] as const),
);

export const PREVIEW_PATHS: readonly string[] = [...PREVIEW_OPERATIONS.keys()];
/** The schemas of their responses. */
export const PREVIEW_ANSWERS: readonly TSchema[] = [
  ...new Set([...PREVIEW_OPERATIONS.values()].flatMap(({ replies }) => replies[200]?.schema ?? [])),
];

export interface PreviewQuestion {
  path: string;
  request: Readonly<Record<string, unknown>>;
  /** Whether to use the person's own setting of personalization, or to treat it as off. */
  isPersonal: boolean;
}

export type PreviewAnswer = Static<typeof OutputResponse> | Static<typeof SuggestResponse>;
type Caller = Pick<ProjectCaller, 'projectId' | 'fingerprints'>;

/** @throws {HttpError} as the path does; faults of the request are reported under `request` */
export type Preview = (caller: Caller, question: PreviewQuestion) => Promise<PreviewAnswer>;

/** Runs a preview with modified output dependencies. */
export type ChangedPreview = (
  caller: Caller,
  question: PreviewQuestion,
  change: (output: OutputDeps) => OutputDeps,
) => Promise<PreviewAnswer>;

/** @param deps dependencies of the content API, whose responses are shown */
export function createPreview(deps: Omit<ContentDeps, 'describe'>): Preview {
  const preview = createChangedPreview(deps);
  return (caller, question) => preview(caller, question, (output) => output);
}

/** @param deps dependencies of the content API, whose responses are shown */
export function createChangedPreview(deps: Omit<ContentDeps, 'describe'>): ChangedPreview {
  const looking = withoutSideEffects(deps.output);
  const impersonal = withoutPersonalization(looking);
  const validators = new Map<string, Validate>();
  return async (caller, { path, request, isPersonal }, change) => {
    const operation = PREVIEW_OPERATIONS.get(path);
    if (!operation?.body) throw validationFailed([{ field: 'path', code: 'invalid_value' }]);
    const validate = validators.get(path) ?? deps.validators(operation.body.schema);
    validators.set(path, validate);
    const faults = [...validate(request), ...(operation.body.rules?.(request) ?? [])];
    if (faults.length > 0) throw validationFailed(faultsUnderRequest(faults));
    const body = { ...request, explain: true };
    const given = operationInputOf({ ...caller, keyId: '', limits: {} }, body);
    const output = change(isPersonal ? looking : impersonal);
    const reply = await operation.handle(given, { ...deps, output, describe: () => ({}) }).catch((error: unknown) => {
      throw error instanceof HttpError ? errorUnderRequest(error) : error;
    });
    const answer = reply.body as PreviewAnswer;
    // The page was not stored, so there can be no next one.
    return 'items' in answer ? { ...answer, next_cursor: null } : answer;
  };
}

function faultsUnderRequest(faults: readonly FieldFault[]): FieldFault[] {
  return faults.map((fault) => ({ ...fault, field: fault.field === '' ? 'request' : `request.${fault.field}` }));
}

function errorUnderRequest({ status, code, details, cause }: HttpError): HttpError {
  return new HttpError(status, code, { details: faultsUnderRequest(details), cause });
}

type OperationInput = Parameters<Operation<ProjectCaller, ContentDeps>['handle']>[0];

/** Returns the part of a request that an output operation uses. */
function operationInputOf(caller: ProjectCaller, body: unknown): OperationInput {
  return { caller, body } as OperationInput;
}

function withoutSideEffects(output: OutputDeps): OutputDeps {
  return {
    ...output,
    snapshots: { ...output.snapshots, add() {} },
    metrics: { answered() {} },
    // A fixed seed, so that two previews differ only by their requests.
    drawSeed: () => 1,
  };
}

/** Treats personalization as off; a person's exclusions apply all the same. */
function withoutPersonalization(output: OutputDeps): OutputDeps {
  return {
    ...output,
    async begin(projectId, wanted) {
      const { person, ...beginning } = await output.begin(projectId, { ...wanted, signals: false });
      return { ...beginning, person: person && { ...person, personalization: false } };
    },
  };
}
