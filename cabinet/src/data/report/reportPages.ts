/** Rows of a page of a report. */
export const PAGE_ROWS = 100;
