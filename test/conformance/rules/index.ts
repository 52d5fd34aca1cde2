/** The documents, chapter by chapter. */
import type { Chapter } from '../rule.ts';
import { analyticsChapters } from './analytics/index.ts';
import { eventChapters } from './events.ts';
import { itemChapters } from './items.ts';
import { outputChapters } from './output/index.ts';
import { serviceChapters } from './service.ts';
import { stateChapters } from './states.ts';
import { userChapters } from './users.ts';
import { webhookChapters } from './webhooks.ts';

export const CHAPTERS: readonly Chapter[] = [
  ...stateChapters,
  ...itemChapters,
  ...eventChapters,
  ...userChapters,
  ...webhookChapters,
  ...serviceChapters,
  ...outputChapters,
  ...analyticsChapters,
];
