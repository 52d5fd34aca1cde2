/** The decisions on recommendations and search. */
import type { Chapter } from '../../rule.ts';
import { answerChapters } from './answer.ts';
import { cabinetChapters } from './cabinet.ts';
import { requestChapters } from './request.ts';
import { searchChapters } from './search.ts';
import { snapshotChapters } from './snapshots.ts';

export const outputChapters: readonly Chapter[] = [
  ...requestChapters,
  ...answerChapters,
  ...snapshotChapters,
  ...searchChapters,
  ...cabinetChapters,
];
