/** The activity on the queue `webhook`: one attempt of the retry lane. */
import type { LaneParts } from '../../loops/delivery/laneParts.ts';
import type { RetryInput, RetryReport } from '../../domain/webhooks/deliveryStates.ts';
import { faultOf, toFailure } from '../analysisFaults.ts';
import { attemptRetry } from './attemptRetry.ts';

export type WebhookActivities = ReturnType<typeof createWebhookActivities>;

export function createWebhookActivities(parts: LaneParts) {
  return {
    /**
     * Makes attempt number `attempt` of a delivery (attemptRetry.ts).
     * @throws {ApplicationFailure} with a type of domain/jobs/failureTypes.ts, for an internal fault; such an attempt
     * does not count
     */
    async attemptDelivery(input: RetryInput): Promise<RetryReport> {
      try {
        return await attemptRetry(parts, input);
      } catch (error) {
        throw toFailure(faultOf(error), error);
      }
    },
  };
}
