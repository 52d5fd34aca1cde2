/** The events, as the bodies of the requests carry them. */

export type StepState = 'queued' | 'running' | 'done' | 'skipped' | 'failed' | 'deferred' | 'waiting';

export interface Moderation {
  level: 'none' | 'low' | 'medium' | 'high' | null;
  categories: Record<string, unknown> | null;
  evidence: Record<string, unknown>[] | null;
}

export interface WebhookSummary {
  summary: string;
  topics: string[];
  tags: string[];
  age_rating: '0+' | '6+' | '12+' | '16+' | '18+' | null;
  moderation: Moderation | null;
}

export interface WebhookItem<Status extends string> {
  /** The id that you gave the item; `webhook-test` in a test. */
  id: string;
  status: Status;
  processing: Record<'prepare' | 'speech' | 'vision' | 'summary' | 'embedding', StepState>;
  /**
   * Absent when there is none. Transcripts and frames are fetched separately: `GET
   * /items/{id}?include=transcript,frames`.
   */
  summary?: WebhookSummary;
  /** The moderation, with or without a summary. Absent while there is none. */
  moderation?: Moderation;
}

interface Envelope<Name extends string, Status extends string> {
  event: Name;
  /** 12 characters. */
  project_id: string;
  /** Start of this attempt, ISO-8601 UTC with milliseconds; it differs from attempt to attempt. */
  sent_at: string;
  /** The same for all attempts of one event: discard events that you have already seen. */
  delivery_id: string;
  item: WebhookItem<Status>;
}

/** The analysis ended and everything was done. */
export type ItemProcessed = Envelope<'item.processed', 'ready'>;
/** The analysis ended, but some or all of it failed. */
export type ItemFailed = Envelope<'item.failed', 'partial' | 'failed'>;
/** Somebody pressed the test button. */
export type WebhookTest = Envelope<'webhook.test', 'ready'>;

/** Distinguish them by `event`. A later version may send others: answer 2xx to events that you do not know. */
export type WebhookEvent = ItemProcessed | ItemFailed | WebhookTest;
