/** The `item` object of a webhook body; a snapshot taken in the transaction of the status change. */
import type { ItemStatus, StepStates } from './steps.ts';

export interface WebhookItem {
  /** The integrator's own id. */
  id: string;
  status: ItemStatus;
  processing: StepStates;
  /** Absent when the item has no summary. */
  summary?: {
    summary: string;
    topics: string[];
    tags: string[];
    age_rating: string | null;
    moderation: Record<string, unknown> | null;
  };
}
