/** The item of a test delivery: it exists in no project, and has all steps done. */
import { mapSteps } from '../analysis/steps.ts';
import type { WebhookItem } from './webhookRequest.ts';

export const TEST_ITEM: WebhookItem = {
  id: 'webhook-test',
  status: 'ready',
  processing: mapSteps(() => 'done'),
};
