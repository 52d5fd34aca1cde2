import { limits } from '../apiLimits.ts';

/** Cuts a suggested title to the maximum length of a segment's, but no character in half. */
export function cutTitle(title: string): string {
  return title.slice(0, limits.createSegment_title).replace(/\p{Surrogate}$/u, '');
}
