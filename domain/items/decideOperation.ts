/**
 * The effect of a write on an item. It depends only on the present item (or its absence) and the operation, so that one
 * operation and five hundred are handled the same way. The time of the last change is set in db/items/bulkRows.ts, for
 * a change of status in db/analysis/steps.ts.
 */
import { ALL_FIELDS, PLAIN_FIELDS, TEXTS, type Field } from './analysedFields.ts';
import type { ItemContent, ItemFault, ItemHead, ItemOrigin, ItemPatch } from './item.ts';
import { mediaFault } from './mediaForType.ts';
import { propertyFaults, type PropertyDeclaration } from './properties.ts';
import { statusFromSteps } from './status.ts';
import { compareMedia, type MediaDifference, type StoredMediumIdentity } from './mediaIdentity.ts';
import { newlyApplicableSteps } from '../analysis/plan.ts';
import {
  newStepRecords,
  outdatedBy,
  outdatedByRequest,
  withOutdated,
  withWaitingQueued,
} from '../analysis/outdatedSteps.ts';
import { stepsOfOtherModels } from '../analysis/stepModels.ts';
import { sameJson } from '../sameJson.ts';
import { isFinished, mapSteps, statesOf, STEPS, type Step, type StepRecords } from '../analysis/steps.ts';

export type ItemOperation =
  | { op: 'put'; id: string; content: ItemContent }
  | { op: 'patch'; id: string; patch: ItemPatch }
  | { op: 'delete'; id: string }
  /** Null means all steps. */
  | { op: 'reprocess'; id: string; steps: readonly Step[] | null };

/** Stands for a stored body that was not read, because it differs from every body that the current operations send. */
export const UNREAD = Symbol('unread');
export type StoredBody = string | null | typeof UNREAD;

/** An item between operations. Every change makes a new object. */
export interface ItemState extends ItemHead, Omit<ItemContent, 'body' | 'media'> {
  body: StoredBody;
  media: readonly StoredMediumIdentity[];
  origin: ItemOrigin;
  revision: number;
  /** Null while it is being created. */
  createdAt: Date | null;
  /** The request that caused the analysis outdated here; null keeps the stored one. */
  requestId: string | null;
  /** Steps whose results are discarded for the media that stay. */
  redo: ReadonlySet<Step>;
  /** True when the stored summary, moderation and chunks describe content that the item no longer has. */
  isRewritten: boolean;
}

export interface WriteContext {
  origin: ItemOrigin;
  requestId: string | null;
  declared: readonly PropertyDeclaration[];
  /** The models of the installation, compared when items are restored; none are compared when it is absent. */
  models?: Partial<Record<Step, string>>;
  /** Returns the id of an added medium. */
  newMediumId(): string;
}

export type ItemOutcome = 'created' | 'updated' | 'unchanged' | 'deleted' | 'queued' | 'not_found' | 'invalid';

export interface Decision {
  outcome: ItemOutcome;
  /** The same object when nothing changes. */
  state: ItemState | null;
  faults: ItemFault[];
  /** True when the workflow has to look at the item. */
  enqueue: boolean;
}

/** Decides one operation. Faults of the fields are reported before an unknown id, as in a single request. */
export function decide(state: ItemState | null, operation: ItemOperation, context: WriteContext): Decision {
  const faults = fieldFaults(operation, context);
  if (faults.length > 0) return refuse(state, 'invalid', faults);
  if (!state)
    return operation.op === 'put' ? create(operation.id, operation.content, context) : refuse(null, 'not_found');
  switch (operation.op) {
    case 'put':
      return replace(state, operation.content, context, true);
    case 'patch':
      return patch(state, operation.patch, context);
    case 'delete':
      return deleteItem(state);
    case 'reprocess':
      return reprocess(state, operation.steps, context);
  }
}

/** Returns the part of an item that every write returns. */
export function headOf({ id, status, available, deleted, steps }: ItemState): ItemHead {
  return { id, status, available, deleted, steps };
}

function fieldFaults(operation: ItemOperation, { declared }: WriteContext): ItemFault[] {
  if (operation.op === 'put') return propertyFaults(declared, operation.content.properties);
  return operation.op === 'patch' ? propertyFaults(declared, operation.patch.properties ?? null) : [];
}

function refuse(state: ItemState | null, outcome: ItemOutcome, faults: ItemFault[] = []): Decision {
  return { outcome, state, faults, enqueue: false };
}

function create(id: string, content: ItemContent, context: WriteContext): Decision {
  const media = mergeMedia([], compareMedia([], content.media), context);
  const state: ItemState = {
    ...content,
    id,
    media,
    origin: context.origin,
    deleted: false,
    revision: 1,
    status: 'queued',
    steps: newStepRecords(1),
    createdAt: null,
    requestId: context.requestId,
    redo: new Set(),
    isRewritten: false,
  };
  return { outcome: 'created', state, faults: [], enqueue: true };
}

function patch(state: ItemState, change: ItemPatch, context: WriteContext): Decision {
  const merged = { ...state, ...change };
  const code = change.media && mediaFault(state.type, change.media, true);
  if (code) return refuse(state, 'invalid', [{ field: 'media', code }]);
  return replace(state, merged, context, false);
}

type Content = Omit<ItemContent, 'body' | 'media'> & {
  body: StoredBody;
  media: ItemContent['media'] | ItemState['media'];
};

function replace(state: ItemState, content: Content, context: WriteContext, isWhole: boolean): Decision {
  const difference = compareMedia(state.media, content.media);
  const isTakenOver = isWhole && state.origin === 'order' && context.origin !== 'order';
  const rewritten = isTakenOver ? new Set(STEPS) : stepsOfNewContent(state, content, difference);
  const fields = { ...fieldsOf(content), publishedAt: content.publishedAt ?? state.createdAt };
  const isUndeleted = isWhole && state.deleted;
  // A change of models skips deleted items.
  const behind = outdatedByRequest(isUndeleted ? stepsOfOtherModels(state.steps, context.models ?? {}) : []);
  const outdated = new Set([...rewritten, ...behind]);
  if (
    outdated.size === 0 &&
    !difference.moved &&
    !isUndeleted &&
    !mediaChanged(difference) &&
    PLAIN_FIELDS.every((field) => isSame(state[field], fields[field]))
  ) {
    return { outcome: 'unchanged', state, faults: [], enqueue: false };
  }
  const next: ItemState = {
    ...outdate(state, outdated, context.requestId),
    ...fields,
    media: mergeMedia(state.media, difference, context),
    origin: isTakenOver ? context.origin : state.origin,
    deleted: state.deleted && !isUndeleted,
    redo: new Set([...state.redo, ...behind]),
    isRewritten: state.isRewritten || rewritten.size > 0,
  };
  return {
    outcome: 'updated',
    state: next,
    faults: [],
    enqueue: !next.deleted && isUnfinished(next.steps) && (outdated.size > 0 || isUndeleted),
  };
}

function stepsOfNewContent(state: ItemState, content: Content, media: MediaDifference): Set<Step> {
  const text = TEXTS.some((field) => !isSame(state[field], content[field]));
  return new Set([
    ...outdatedBy({ text, mediaAdded: media.added.length > 0, mediaRemoved: media.removed.length > 0 }),
    ...outdatedByRequest([...newlyApplicableSteps(applicabilityOf(state), applicabilityOf(content))]),
  ]);
}

function applicabilityOf({ type, media }: Pick<Content, 'type' | 'media'>) {
  return { type, kinds: media.map((medium) => medium.kind) };
}

function mediaChanged({ added, removed }: MediaDifference): boolean {
  return added.length > 0 || removed.length > 0;
}

/**
 * Returns only the fields. It drops everything else, because the content of a PATCH is a whole item with its changes.
 */
function fieldsOf(content: Content): Pick<Content, Field> {
  return Object.fromEntries(ALL_FIELDS.map((field) => [field, content[field]])) as Pick<Content, Field>;
}

function isSame(a: Content[Field], b: Content[Field]): boolean {
  return a instanceof Date && b instanceof Date ? a.getTime() === b.getTime() : sameJson(a, b);
}

function mergeMedia(
  stored: ItemState['media'],
  difference: MediaDifference,
  context: WriteContext,
): StoredMediumIdentity[] {
  const byId = new Map(stored.map((medium) => [medium.mediumId, medium]));
  const kept = difference.kept.flatMap(({ mediumId, position }) => {
    const medium = byId.get(mediumId);
    return medium ? [{ ...medium, position }] : [];
  });
  const added = difference.added.map((medium) => ({ ...medium, mediumId: context.newMediumId() }));
  return [...kept, ...added].sort((a, b) => a.position - b.position);
}

/**
 * Running steps return to the queue, in case the item is undeleted later; the workflow, if there is one, has to stop.
 */
function deleteItem(state: ItemState): Decision {
  if (state.deleted) return { outcome: 'deleted', state, faults: [], enqueue: false };
  const steps = mapSteps((step) =>
    state.steps[step].state === 'running' ? { ...state.steps[step], state: 'queued' as const } : state.steps[step],
  );
  const status = isUnfinished(steps) ? statusFromSteps(statesOf(steps), false) : state.status;
  return {
    outcome: 'deleted',
    state: { ...state, deleted: true, steps, status },
    faults: [],
    enqueue: isUnfinished(state.steps),
  };
}

function reprocess(state: ItemState, steps: readonly Step[] | null, context: WriteContext): Decision {
  if (state.deleted) return refuse(state, 'not_found');
  const outdated = outdatedByRequest(steps);
  if (outdated.size === 0) return { outcome: 'unchanged', state, faults: [], enqueue: false };
  const next = { ...outdate(state, outdated, context.requestId), redo: new Set([...state.redo, ...outdated]) };
  return { outcome: 'queued', state: next, faults: [], enqueue: true };
}

function outdate(state: ItemState, outdated: ReadonlySet<Step>, requestId: string | null): ItemState {
  if (outdated.size === 0) return state;
  const revision = state.revision + 1;
  const steps = withWaitingQueued(withOutdated(state.steps, outdated, revision));
  // Whether there are vectors does not matter here: a change that outdates any step outdates the embedding too, so the
  // status cannot be final.
  return {
    ...state,
    revision,
    steps,
    status: statusFromSteps(statesOf(steps), false),
    requestId: requestId ?? state.requestId,
  };
}

function isUnfinished(steps: StepRecords): boolean {
  return STEPS.some((step) => !isFinished(steps[step].state));
}
