/**
 * The retry lane of one delivery: wait for the schedule, attempt, wait for the rest of it. It begins
 * after the first attempt has failed and ends when the delivery is delivered, failed for the seventh
 * time, dropped (see Obstacle) or gone with its webhook.
 */
import { continueAsNew, isCancellation, proxyActivities, setCurrentDetails, sleep, workflowInfo } from '@temporalio/workflow';
import type { WebhookActivities } from '../activities/webhook/index.ts';
import { ACTIVITY_OPTIONS } from '../domain/queues.ts';
import type { DeliveryInput, DeliveryResult, RetryReport } from '../domain/webhookDelivery.ts';
import { MAX_ATTEMPTS, retryDelayMs } from '../domain/webhookSchedule.ts';
import { attemptLine, busyPauseMs, nextLine } from './delivery/words.ts';

const webhook = proxyActivities<WebhookActivities>(ACTIVITY_OPTIONS.webhook);

export async function delivery(input: DeliveryInput): Promise<DeliveryResult> {
  const journal: string[] = [];
  let { attemptsMade, waitMs } = input;
  let timesBusy = 0;

  for (;;) {
    setCurrentDetails([...journal, nextLine(attemptsMade)].join('\n'));
    if (waitMs > 0) await sleep(waitMs, { summary: timerSummary(attemptsMade, timesBusy) });
    if (workflowInfo().continueAsNewSuggested) return continueAsNew<typeof delivery>({ ...input, attemptsMade, waitMs: 0 });

    const report = await attemptOnce();
    if (report.state === 'settled') {
      setCurrentDetails([...journal, attemptLine(report)].join('\n'));
      return { status: report.status, attemptsMade: report.attemptsMade };
    }
    timesBusy = report.state === 'busy' ? timesBusy + 1 : 0;
    if (report.state === 'busy') {
      waitMs = busyPauseMs(timesBusy);
      continue;
    }
    journal.push(attemptLine(report));
    attemptsMade = report.attemptsMade;
    waitMs = report.state === 'failed' ? (retryDelayMs(attemptsMade) ?? 0) : report.waitMs;
  }

  /** A lost attempt (its worker died, or a fault of ours) is made again, not spent. */
  async function attemptOnce(): Promise<RetryReport> {
    const { projectId, deliveryId } = input;
    const attempt = attemptsMade + 1;
    const options = { ...ACTIVITY_OPTIONS.webhook, summary: `Attempt ${attempt} of ${MAX_ATTEMPTS}`, priority: { fairnessKey: projectId } };
    try {
      return await webhook.attemptDelivery.executeWithOptions(options, [{ projectId, deliveryId, attempt }]);
    } catch (error) {
      if (isCancellation(error)) throw error;
      return { state: 'busy' };
    }
  }
}

function timerSummary(attemptsMade: number, timesBusy: number): string {
  const next = `attempt ${attemptsMade + 1} of ${MAX_ATTEMPTS}`;
  return timesBusy === 0 ? `Until ${next}` : `Asking again for ${next}`;
}
