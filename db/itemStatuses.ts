/**
 * SQL conditions about the status of an item. Each begins with the column, so that an alias may precede it
 * (`i.${MAY_BE_SHOWN}`). Indexes and triggers repeat them (test/db/items/statuses.test.ts).
 */
import { IS_SHOWN } from '../domain/output/mayShow.ts';
import { UNFINISHED_STATUSES } from '../domain/items/status.ts';
import { textList } from './arrays.ts';

/** The analysis of the item has not ended. */
export const IS_UNFINISHED = `status in ${textList(UNFINISHED_STATUSES)}`;

const HIDDEN = Object.entries(IS_SHOWN).flatMap(([status, isShown]) => (isShown ? [] : [status]));

/** Output may show an item of this status. */
export const MAY_BE_SHOWN = `status not in ${textList(HIDDEN)}`;
