/** The analytics API's document, and the intake of the tag. */
import type { Chapter } from '../../rule.ts';
import { collectChapters } from './collect.ts';
import { endpointChapters } from './endpoints.ts';
import { factChapters } from './facts.ts';
import { limitChapters } from './limits.ts';
import { recordChapters } from './records.ts';
import { serviceChapters } from './service.ts';
import { tagChapters } from './tag.ts';

export const analyticsChapters: readonly Chapter[] = [
  ...serviceChapters,
  ...recordChapters,
  ...factChapters,
  ...endpointChapters,
  ...limitChapters,
  ...tagChapters,
  ...collectChapters,
];
