/**
 * The retry lane of one delivery: wait for the schedule, attempt, wait for the rest of it. It begins
 * after the first attempt has failed and ends when the delivery is delivered, failed for the seventh
 * time, dropped (see Obstacle) or gone with its webhook. A recovery gives a delivery the seven anew.
 */
import { condition, continueAsNew, defineSignal, isCancellation, proxyActivities, setCurrentDetails, setHandler, workflowInfo } from '@temporalio/workflow';
import type { WebhookActivities } from '../activities/webhook/index.ts';
import { ACTIVITY_OPTIONS } from '../domain/queues.ts';
import { DELIVERY_MOVED_SIGNAL, type DeliveryInput, type DeliveryMoved, type DeliveryResult, type RetryReport } from '../domain/webhookDelivery.ts';
import { retryDelayMs } from '../domain/webhookSchedule.ts';
import { attemptLine, attemptName, busyPauseMs, nextLine } from './delivery/words.ts';

const webhook = proxyActivities<WebhookActivities>(ACTIVITY_OPTIONS.webhook);
const deliveryMoved = defineSignal<[DeliveryMoved]>(DELIVERY_MOVED_SIGNAL);

export async function delivery(input: DeliveryInput): Promise<DeliveryResult> {
  const journal: string[] = [];
  let { attemptsMade, scheduleStart = 0 } = input;
  let waitMs = leftToWait(input);
  let timesBusy = 0;
  let moved: DeliveryMoved | null = null;
  setHandler(deliveryMoved, (news) => {
    if (news.attemptsMade > (moved?.attemptsMade ?? attemptsMade)) moved = news;
  });

  for (;;) {
    setCurrentDetails([...journal, nextLine(attemptsMade, scheduleStart)].join('\n'));
    if (waitMs > 0) await condition(() => moved !== null, waitMs, { summary: timerSummary() });
    if (takeNews()) continue;
    if (workflowInfo().continueAsNewSuggested) return continueAsNew<typeof delivery>({ ...input, attemptsMade, waitMs: 0, scheduleStart });

    const report = await attemptOnce();
    if (report.state === 'settled') {
      setCurrentDetails([...journal, attemptLine(report, scheduleStart)].join('\n'));
      if (takeNews(report.attemptsMade)) continue;
      return { status: report.status, attemptsMade: report.attemptsMade };
    }
    timesBusy = report.state === 'busy' ? timesBusy + 1 : 0;
    if (report.state === 'busy') {
      waitMs = busyPauseMs(timesBusy);
      continue;
    }
    if (report.state === 'superseded') scheduleStart = report.scheduleStart ?? scheduleStart;
    journal.push(attemptLine(report, scheduleStart));
    attemptsMade = report.attemptsMade;
    waitMs = report.state === 'failed' ? (report.retryInMs ?? retryDelayMs(attemptsMade) ?? 0) : report.waitMs;
  }

  /** Somebody else's attempt has given the delivery another time, and perhaps another schedule. */
  function takeNews(known = attemptsMade): boolean {
    const news = moved;
    moved = null;
    if (news === null || news.attemptsMade <= known) return false;
    ({ attemptsMade, waitMs, scheduleStart = 0 } = news);
    journal.push(attemptLine({ state: 'superseded', attemptsMade, waitMs }, scheduleStart));
    return true;
  }

  /** A lost attempt (its worker died, or a fault of ours) is made again, not spent. */
  async function attemptOnce(): Promise<RetryReport> {
    const { projectId, deliveryId } = input;
    const attempt = attemptsMade + 1;
    const name = attemptName(attempt, scheduleStart);
    const options = { ...ACTIVITY_OPTIONS.webhook, summary: `A${name.slice(1)}`, priority: { fairnessKey: projectId } };
    try {
      return await webhook.attemptDelivery.executeWithOptions(options, [{ projectId, deliveryId, attempt }]);
    } catch (error) {
      if (isCancellation(error)) throw error;
      return { state: 'busy' };
    }
  }

  function timerSummary(): string {
    const next = attemptName(attemptsMade + 1, scheduleStart);
    return timesBusy === 0 ? `Until ${next}` : `Asking again for ${next}`;
  }
}

/** A signal ends a delay of the start before its time: what is left of it is waited here. */
function leftToWait({ waitMs, startDelayed }: DeliveryInput): number {
  return startDelayed ? Math.max(0, waitMs - (Date.now() - workflowInfo().startTime.getTime())) : waitMs;
}
