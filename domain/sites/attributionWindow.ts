/** How long after the beginning of a visit a conversion or an order may still belong to it. */

export const ATTRIBUTION_DAYS = 90;

/** The same time, regardless of daylight saving time. */
export const ATTRIBUTION_HOURS = ATTRIBUTION_DAYS * 24;
