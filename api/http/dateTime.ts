/** Moments in requests; the rule itself is domain/dateTime.ts. */
export { isDateTime, parseDateTime } from '../../domain/dateTime.ts';
