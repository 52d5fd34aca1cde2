/** The only list of rules: the documents, chapter by chapter. */
import type { Chapter } from '../rule.ts';
import { analyticsChapters } from './analytics.ts';
import { contentChapters } from './content.ts';
import { cabinetDecisions } from './decisions/cabinet.ts';
import { hostingDecisions } from './decisions/hosting.ts';
import { itemsDecisions } from './decisions/items.ts';
import { peopleDecisions } from './decisions/people.ts';
import { storageDecisions } from './decisions/storage.ts';
import { visitorsDecisions } from './decisions/visitors.ts';
import { webhooksDecisions } from './decisions/webhooks.ts';
import { outputChapters } from './output.ts';
import { reportChapters } from './reports.ts';

const decisions: readonly Chapter[] = [
  ...hostingDecisions,
  ...itemsDecisions,
  ...peopleDecisions,
  ...webhooksDecisions,
  ...storageDecisions,
  ...visitorsDecisions,
  ...cabinetDecisions,
];

export const CHAPTERS: readonly Chapter[] = [
  ...contentChapters,
  ...outputChapters,
  ...analyticsChapters,
  ...reportChapters,
  ...decisions,
];
