/** Hands one outbox row to Temporal: starts or signals the workflow with its deterministic id. */
import { WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError, type Client } from '@temporalio/client';
import {
  defineSearchAttributeKey,
  SearchAttributeType,
  TypedSearchAttributes,
  type SearchAttributePair,
} from '@temporalio/common';
import type { ClaimedEntry, OutboxEntry } from '../../db/jobs/outbox.ts';
import { deliveryWorkflowId, exportsWorkflowId, itemWorkflowId, jobWorkflowId } from '../../domain/jobs/ids.ts';
import { EXPORT_ASKED_SIGNAL, type ExportsInput } from '../../domain/reports/exports.ts';
import { JOB_WORKFLOWS, type JobInput, type JobKind } from '../../domain/jobs/jobs.ts';
import { QUEUES } from '../../domain/jobs/queues.ts';
import { SEARCH_ATTRIBUTES } from '../../domain/jobs/searchAttributes.ts';
import { ITEM_CHANGED_SIGNAL, type ItemWorkflowInput } from '../../domain/jobs/workflowMessages.ts';
import { DELIVERY_MOVED_SIGNAL, type DeliveryInput, type DeliveryMoved } from '../../domain/webhooks/deliveryStates.ts';
import { summaryOf } from './workflowSummary.ts';

type EntryRef = Pick<OutboxEntry, 'kind' | 'projectId' | 'entityId'>;

/** Returns the workflow id of a row. */
export function workflowIdOf(entry: EntryRef): string {
  if (entry.kind === 'item') return itemWorkflowId(entry.projectId, entry.entityId);
  if (entry.kind === 'delivery') return deliveryWorkflowId(entry.entityId);
  if (entry.kind === 'exports') return exportsWorkflowId(entry.projectId);
  return jobWorkflowId({ ...entry, kind: entry.kind });
}

/**
 * Starts the row's workflow. If it is already running, it is signalled to look again (an item, exports), signalled the
 * new position of its delivery, or left alone (a job).
 * @throws when Temporal does not answer or refuses
 */
export async function startWorkflow(client: Client, entry: ClaimedEntry): Promise<void> {
  if (entry.kind === 'item') return startItem(client, entry);
  if (entry.kind === 'delivery') return startDelivery(client, entry);
  if (entry.kind === 'exports') return startExports(client, entry);
  return unlessRunning(startJob(client, entry, entry.kind));
}

async function startItem(client: Client, entry: ClaimedEntry): Promise<void> {
  const input: ItemWorkflowInput = {
    projectId: entry.projectId,
    itemId: entry.entityId,
    tellsOutcome: true,
    analysesAtOnce: true,
  };
  await client.workflow.signalWithStart('item', {
    ...commonOptions(entry, `analysis of ${entry.entityId}`),
    args: [input],
    signal: ITEM_CHANGED_SIGNAL,
    signalArgs: [],
  });
}

/**
 * Starts the retry lane of a delivery. The first wait is Temporal's own start delay: a start without a workflow task
 * costs a fraction of one with a timer, and when an address fails there are thousands (docs/performance.md).
 *
 * A workflow that is already running waits by its own schedule, perhaps for hours. After a resend or a recovery the
 * delivery has a new schedule, so the workflow is signalled; it ignores what it knows already. The first failure needs
 * no signal, since a running workflow began with it. Temporal may have accepted the start without answering, and a
 * signal would then end the delay, at the cost of a task and a timer each, just when Temporal is slow.
 */
async function startDelivery(client: Client, entry: ClaimedEntry): Promise<void> {
  const { attemptsMade, waitMs, scheduleStart, dueAt } = entry;
  const progress = { attemptsMade, waitMs, ...(scheduleStart > 0 && { scheduleStart }) };
  const delayed = waitMs > 0;
  const input: DeliveryInput = {
    projectId: entry.projectId,
    deliveryId: entry.entityId,
    ...progress,
    ...(delayed && { startDelayed: true }),
    tellsOutcome: true,
  };
  const options = {
    ...commonOptions(entry, `retries of webhook delivery ${entry.entityId}`),
    args: [input] as [DeliveryInput],
    ...(delayed && { startDelay: waitMs }),
  };
  try {
    await client.workflow.start('delivery', options);
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    if (attemptsMade <= 1 && scheduleStart === 0) return;
    const moved: DeliveryMoved = { ...progress, ...(dueAt !== null && { dueAt }) };
    // The signal also starts the workflow, which may have ended in the meantime.
    await client.workflow.signalWithStart('delivery', {
      ...options,
      signal: DELIVERY_MOVED_SIGNAL,
      signalArgs: [moved],
    });
  }
}

/** Starts or signals the workflow of a site's exports, which makes one at a time and continues when it is signalled. */
async function startExports(client: Client, entry: ClaimedEntry): Promise<void> {
  const input: ExportsInput = { siteId: entry.projectId };
  await client.workflow.signalWithStart('buildExports', {
    ...commonOptions(entry, `exports of site ${entry.projectId}`),
    args: [input],
    signal: EXPORT_ASKED_SIGNAL,
    signalArgs: [],
  });
}

/** Starts the workflow of a job. A finished one may be started again: it finds its job closed and ends. */
async function startJob(client: Client, entry: ClaimedEntry, kind: JobKind): Promise<void> {
  const { workflow, summary } = JOB_WORKFLOWS[kind];
  const input: JobInput = { projectId: entry.projectId, entityId: entry.entityId, tellsOutcome: true };
  await client.workflow.start(workflow, { ...commonOptions(entry, `${summary} ${entry.entityId}`), args: [input] });
}

async function unlessRunning(start: Promise<void>): Promise<void> {
  try {
    await start;
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}

/** Returns the options by which operators find a job, and which keep one project's load from starving another's. */
function commonOptions(entry: ClaimedEntry, staticSummary: string) {
  return {
    workflowId: workflowIdOf(entry),
    taskQueue: QUEUES.workflow,
    staticSummary: summaryOf(staticSummary),
    memo: { requestId: entry.requestId },
    priority: { priorityKey: entry.priority, fairnessKey: entry.projectId },
    typedSearchAttributes: new TypedSearchAttributes([
      { key: keyword(SEARCH_ATTRIBUTES.tenant), value: entry.projectId },
      { key: keyword(SEARCH_ATTRIBUTES.kind), value: entry.kind },
      { key: keyword(SEARCH_ATTRIBUTES.entity), value: entry.entityId },
      ...deliveryAttributes(entry),
    ]),
  };
}

/**
 * Returns the attributes by which a delivery can be found from the start: its webhook, and why it is not delivered yet.
 */
function deliveryAttributes({ webhookId, errorCode }: ClaimedEntry): SearchAttributePair[] {
  const codes = defineSearchAttributeKey(SEARCH_ATTRIBUTES.errorCode, SearchAttributeType.KEYWORD_LIST);
  return [
    ...(webhookId === null ? [] : [{ key: keyword(SEARCH_ATTRIBUTES.webhook), value: webhookId }]),
    ...(errorCode === null ? [] : [{ key: codes, value: [errorCode] }]),
  ];
}

function keyword(name: string) {
  return defineSearchAttributeKey(name, SearchAttributeType.KEYWORD);
}

/** Returns true when Temporal has a running workflow for the row. */
export async function isRunning(client: Client, entry: EntryRef): Promise<boolean> {
  try {
    const { status } = await client.workflow.getHandle(workflowIdOf(entry)).describe();
    return status.name === 'RUNNING';
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}
