/**
 * The retries of one delivery (its type is `delivery`): wait for the schedule, attempt, and wait again. It begins after
 * the first attempt has failed and ends when the delivery is delivered, its last attempt has failed, it is dropped (see
 * Obstacle), or it is deleted with its webhook. A recovery gives a delivery all attempts anew.
 */
import {
  ApplicationFailure,
  condition,
  continueAsNew,
  defineSignal,
  isCancellation,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { WebhookActivities } from '../activities/webhook/index.ts';
import { ACTIVITY_OPTIONS } from '../domain/jobs/activityOptions.ts';
import type { OutcomeAttributes } from '../domain/jobs/searchAttributes.ts';
import {
  DELIVERY_MOVED_SIGNAL,
  type DeliveryInput,
  type DeliveryMoved,
  type DeliveryResult,
  type RetryReport,
} from '../domain/webhooks/deliveryStates.ts';
import { RetryPosition } from './retryDelivery/retryPosition.ts';
import { reportOutcome, reportedErrorCodes } from './outcomeAttributes.ts';

type Settled = Extract<RetryReport, { state: 'settled' }>;

const webhook = proxyActivities<WebhookActivities>(ACTIVITY_OPTIONS.webhook);
const deliveryMoved = defineSignal<[DeliveryMoved]>(DELIVERY_MOVED_SIGNAL);

export async function retryDelivery(input: DeliveryInput): Promise<DeliveryResult> {
  const course = new RetryPosition(input, leftToWait(input));
  setHandler(deliveryMoved, (news) => course.onMoved(news));

  for (;;) {
    await untilDueOrMoved(course);
    if (course.applyMove()) continue;
    if (workflowInfo().continueAsNewSuggested) return continueAsNew<typeof retryDelivery>(inputOf(input, course));

    const report = await attemptOnce(input, course);
    if (input.tellsOutcome) reportOutcome(outcomeOf(report));
    if (report.state !== 'settled') {
      course.follow(report);
      continue;
    }
    setCurrentDetails(course.checklist(report));
    if (course.applyMove(report.attemptsMade)) continue;
    return endOf(input, report);
  }
}

/**
 * Returns the search attributes of a report. They do not change while there is nothing new: a delivery that is busy or
 * was resent keeps its code.
 */
function outcomeOf(report: RetryReport): OutcomeAttributes {
  if (report.state === 'failed') return { outcome: null, errorCodes: [report.errorCode] };
  if (report.state !== 'settled') return { outcome: null, errorCodes: reportedErrorCodes() };
  const errorCodes = report.status === 'delivered' ? [] : report.errorCode ? [report.errorCode] : reportedErrorCodes();
  return { outcome: report.status, errorCodes };
}

/** @throws {ApplicationFailure} with the last attempt's code when the delivery failed for good */
function endOf({ tellsOutcome }: DeliveryInput, { status, attemptsMade, errorCode, responseStatus }: Settled) {
  if (status !== 'failed' || !tellsOutcome) return { status, attemptsMade };
  const code = errorCode ?? 'unknown';
  throw ApplicationFailure.create({
    message: `not delivered after ${attemptsMade} attempts: ${[code, responseStatus].filter(Boolean).join(' ')}`,
    type: code,
    nonRetryable: true,
    details: [{ status, attemptsMade }],
    // The receiver's fault, and expected: it must not appear in the worker's log and failure count.
    category: 'BENIGN',
  });
}

async function untilDueOrMoved(course: RetryPosition): Promise<void> {
  setCurrentDetails(course.checklist());
  if (course.waitMs > 0) await condition(() => course.hasMove, course.waitMs, { summary: course.waitSummary });
}

/**
 * Makes one attempt. An attempt that is lost (its worker died, or a fault of ours) is repeated without being counted.
 */
async function attemptOnce({ projectId, deliveryId }: DeliveryInput, course: RetryPosition): Promise<RetryReport> {
  const options = {
    ...ACTIVITY_OPTIONS.webhook,
    summary: `A${course.nextName.slice(1)}`,
    priority: { fairnessKey: projectId },
  };
  try {
    return await webhook.attemptDelivery.executeWithOptions(options, [
      { projectId, deliveryId, attempt: course.attemptsMade + 1 },
    ]);
  } catch (error) {
    if (isCancellation(error)) throw error;
    return { state: 'busy' };
  }
}

/** Returns the input with which a workflow continues as new after a long history; its attempt is due. */
function inputOf(input: DeliveryInput, { attemptsMade, scheduleStart }: RetryPosition): DeliveryInput {
  return { ...input, attemptsMade, waitMs: 0, scheduleStart };
}

/** Returns the remaining wait: a signal ends Temporal's start delay early, and the workflow waits the rest itself. */
function leftToWait({ waitMs, startDelayed }: DeliveryInput): number {
  return startDelayed ? Math.max(0, waitMs - (Date.now() - workflowInfo().startTime.getTime())) : waitMs;
}
