/** Temporal's schedules are made from domain/schedules.ts, and made again when Temporal has lost them. */
import { ScheduleAlreadyRunning, ScheduleOverlapPolicy, type Client, type ScheduleOptions } from '@temporalio/client';
import { defineSearchAttributeKey, SearchAttributeType, TypedSearchAttributes } from '@temporalio/common';
import { QUEUES } from '../domain/queues.ts';
import { SCHEDULES, type ScheduleSpec } from '../domain/schedules.ts';
import { SEARCH_ATTRIBUTES } from '../domain/searchAttributes.ts';

/** A run that was due while Temporal was away is made up for within this time. */
const CATCH_UP = '1 hour';

export class Schedules {
  readonly #client: Client;
  readonly #wanted: readonly ScheduleSpec[];
  #areCurrent = false;

  constructor(client: Client, wanted: readonly ScheduleSpec[] = SCHEDULES) {
    this.#client = client;
    this.#wanted = wanted;
  }

  /**
   * Makes the schedules that are missing. The first pass also brings the others up to date, as the version
   * before may have made them; whether an operator paused one is left as it is.
   * @returns how many were made
   */
  async pass(): Promise<number> {
    let made = 0;
    for (const spec of this.#wanted) {
      if (await this.#create(spec)) made += 1;
      else if (!this.#areCurrent) await this.#update(spec);
    }
    this.#areCurrent = true;
    return made;
  }

  async #create(spec: ScheduleSpec): Promise<boolean> {
    try {
      await this.#client.schedule.create({ ...optionsOf(spec), scheduleId: spec.id, memo: { note: spec.note } });
      return true;
    } catch (error) {
      if (error instanceof ScheduleAlreadyRunning) return false;
      throw error;
    }
  }

  async #update(spec: ScheduleSpec): Promise<void> {
    const options = optionsOf(spec);
    await this.#client.schedule.getHandle(spec.id).update(({ state }) => ({ ...options, state }));
  }
}

function optionsOf({
  workflow,
  args = [],
  note,
  at,
}: ScheduleSpec): Pick<ScheduleOptions, 'spec' | 'action' | 'policies'> & { action: { type: 'startWorkflow' } } {
  return {
    spec:
      'everyMinutes' in at
        ? { intervals: [{ every: `${at.everyMinutes} minutes` }] }
        : { calendars: [{ hour: at.hour, minute: at.minute }], timezone: 'UTC' },
    action: {
      type: 'startWorkflow',
      workflowType: workflow,
      workflowId: [workflow, ...args].join('-'),
      taskQueue: QUEUES.workflow,
      args: [...args],
      staticSummary: note,
      typedSearchAttributes: new TypedSearchAttributes([
        { key: defineSearchAttributeKey(SEARCH_ATTRIBUTES.kind, SearchAttributeType.KEYWORD), value: 'upkeep' },
      ]),
    },
    // A run that takes longer than its turn is not joined by another.
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: CATCH_UP },
  };
}
