/** The limits and the steps of what a map of a page counts. */

/** Maximum number of elements of a map of clicks: the most clicked ones. */
export const MAX_CLICKED_ELEMENTS = 200;

/** Number of cells of a clicked element in each direction. */
export const CLICK_CELLS = 10;

/** Depths in percent of a page; a map of scrolls counts the page views that reached each. */
export const SCROLL_DEPTHS = [0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100] as const;
