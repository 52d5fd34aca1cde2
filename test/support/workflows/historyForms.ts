/**
 * Variants of recorded histories: with more signals before the last workflow task, with the suggestion of a new run in
 * it, or with a new run as its outcome.
 */
import type { History } from './replay.ts';

type Event = NonNullable<History['events']>[number];
type Attributes = Record<string, unknown>;

/** Renumbers the events and adjusts the references between them. */
function renumbered(events: readonly Event[]): History {
  const places = new Map<number, number>();
  for (const [index, { eventId }] of events.entries()) if (eventId) places.set(Number(eventId), index + 1);
  const moved = (value: unknown): unknown => places.get(Number(value)) ?? value;
  return {
    events: events.map((event, index) => {
      const entries = Object.entries(event).map(
        ([name, value]) =>
          [name, name.endsWith('Attributes') && value ? withMovedIds(value as Attributes, moved) : value] as const,
      );
      return { ...Object.fromEntries(entries), eventId: index + 1 } as unknown as Event;
    }),
  };
}

function withMovedIds(attributes: Attributes, moved: (id: unknown) => unknown): Attributes {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [
      name,
      name.endsWith('EventId') && Number(value) > 0 ? moved(value) : value,
    ]),
  );
}

/** Returns the start of the last workflow task and its position. */
function lastTaskOf(events: readonly Event[]): { at: number; event: Event } {
  const at = events.findLastIndex((event) => event.workflowTaskStartedEventAttributes);
  const event = events[at];
  if (!event) throw new Error('the history has no workflow task');
  return { at, event };
}

/** Adds signals before the last workflow task until the task is given `length` events. */
export function withMoreSignals({ events }: History, length: number): History {
  const all = events ?? [];
  const { at } = lastTaskOf(all);
  const signal = all.findLast((event) => event.workflowExecutionSignaledEventAttributes);
  if (!signal) throw new Error('the history has no signal to repeat');
  const { eventId: _own, ...copy } = signal;
  return renumbered([...all.slice(0, at), ...Array.from({ length: length - (at + 1) }, () => copy), ...all.slice(at)]);
}

/** Adds the server's suggestion of a new run to the last workflow task. */
export function suggestingNewRun({ events }: History): History {
  const all = [...(events ?? [])];
  const { at, event } = lastTaskOf(all);
  all[at] = {
    ...event,
    workflowTaskStartedEventAttributes: { ...event.workflowTaskStartedEventAttributes, suggestContinueAsNew: true },
  };
  return { events: all };
}

/** Makes the last workflow task end with a new run. */
export function endedByNewRun({ events }: History): History {
  const all = events ?? [];
  const started = all[0]?.workflowExecutionStartedEventAttributes;
  const completed = all.findLast((event) => event.workflowTaskCompletedEventAttributes);
  if (!started || !completed) throw new Error('the history has no beginning or no workflow task');
  const { workflowType, taskQueue, input } = started;
  const end = {
    eventId: all.length + 1,
    eventTime: completed.eventTime,
    eventType: 28, // EVENT_TYPE_WORKFLOW_EXECUTION_CONTINUED_AS_NEW
    workflowExecutionContinuedAsNewEventAttributes: {
      workflowType,
      taskQueue,
      input,
      workflowTaskCompletedEventId: completed.eventId,
      newExecutionRunId: 'the-next-run',
    },
  };
  return { events: [...all, end as unknown as Event] };
}
