/** A receiver that answers 500 for ten minutes. */
import type { Fault, FaultNotes, Stage } from '../fault.ts';
import { until } from '../../../test/support/whole/until.ts';
import { checkWaitingRetries } from '../support/retries.ts';
import { attemptsSince, breakerOf, sendTestWebhook } from '../support/webhookState.ts';

export const receiverFails: Fault = {
  name: 'receiver-fails',
  title: 'one of three receivers answers 500 for ten minutes, then 204',
  inject: (stage) => fail(stage, 600),
  brief: (stage) => fail(stage, 2),
};

async function fail(stage: Stage, seconds: number): Promise<FaultNotes> {
  const {
    receivers: { troubled },
    pool,
    temporal,
  } = stage;
  const since = Date.now();
  troubled.mode = { status: 500 };
  try {
    await stage.wait(seconds);
    await until(
      'failed attempts',
      () => attemptsSince(pool, troubled.webhookId, since),
      (attempts) => attempts.some(({ response_status }) => response_status === 500),
    );
  } finally {
    troubled.mode = { status: 204 };
  }
  const attempts = await attemptsSince(pool, troubled.webhookId, since);
  const failed = attempts.filter(({ response_status }) => response_status === 500);
  const waiting = await checkWaitingRetries(pool, temporal);
  await sendTestWebhook(stage.stack, troubled.webhookId);
  await until(
    'the breaker closing',
    () => breakerOf(pool, troubled.webhookId),
    ({ isHeld }) => !isHeld,
  );
  const most = Math.max(...failed.map(({ attempt }) => attempt));
  stage.log(
    `${failed.length} attempts failed, up to number ${most} of a delivery; ${waiting} deliveries were waiting for their next attempt`,
  );
  return {
    'failed attempts': failed.length,
    'deliveries that waited for their time': waiting,
    'most attempts of one delivery': most,
  };
}
