/** The moments of a recording as offsets from its beginning, in order. */
import type { MarkType, RecordingMark } from './marks.ts';

export const MOMENT_TYPES = ['page', 'click', 'goal', 'error'] as const satisfies readonly (MarkType | 'goal')[];

export interface Moment {
  /** Milliseconds from the first event. */
  offset: number;
  type: (typeof MOMENT_TYPES)[number];
  text: string | null;
}

export interface RecordedSpan {
  startedAt: Date;
  endedAt: Date;
}

/**
 * A conversion is reported a little before or after it is recorded: goals of the last page arrive as the page is left.
 */
const GOAL_SLACK_MS = 30_000;

/**
 * Returns the timeline. Marks have times of the device's clock, as the player's events do, so that an offset is the
 * same in both; conversions have times of the server's clock.
 * @param chunks with the time of their first event
 */
export function timelineOf(
  chunks: readonly { from: number; marks: readonly RecordingMark[] }[],
  goals: readonly { goal: string; occurredAt: Date }[],
  { startedAt, endedAt }: RecordedSpan,
): Moment[] {
  const beginning = chunks.reduce((first, { from }) => Math.min(first, from), Number.POSITIVE_INFINITY);
  const duration = endedAt.getTime() - startedAt.getTime();
  const marks = chunks
    .flatMap((chunk) => chunk.marks)
    .map(({ at, type, text }): Moment => ({ offset: Math.max(0, at - beginning), type, text }));
  const conversions = goals
    .map(({ goal, occurredAt }) => ({ goal, offset: occurredAt.getTime() - startedAt.getTime() }))
    .filter(({ offset }) => offset >= -GOAL_SLACK_MS && offset <= duration + GOAL_SLACK_MS)
    .map(({ goal, offset }): Moment => ({ offset: clamp(offset, duration), type: 'goal', text: goal }));
  return withoutRepeatedPages([...marks, ...conversions].sort((a, b) => a.offset - b.offset));
}

function clamp(offset: number, duration: number): number {
  return Math.min(Math.max(0, offset), duration);
}

/** A page is recorded as a whole again after a pause, and both rrweb and the tag report its address. */
function withoutRepeatedPages(moments: readonly Moment[]): Moment[] {
  let page: string | null = null;
  return moments.filter(({ type, text }) => {
    if (type !== 'page') return true;
    const isNew = text !== page;
    page = text;
    return isNew;
  });
}
