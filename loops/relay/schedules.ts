/** Creates Temporal's schedules from domain/jobs/schedules.ts, and again when Temporal has lost them. */
import { ScheduleAlreadyRunning, ScheduleOverlapPolicy, type Client, type ScheduleOptions } from '@temporalio/client';
import { defineSearchAttributeKey, SearchAttributeType, TypedSearchAttributes } from '@temporalio/common';
import { QUEUES } from '../../domain/jobs/queues.ts';
import { SCHEDULES, type ScheduleSpec } from '../../domain/jobs/schedules.ts';
import { SEARCH_ATTRIBUTES } from '../../domain/jobs/searchAttributes.ts';

/** A run that was due while Temporal was unavailable is made up for within this time. */
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
   * Creates the missing schedules. The first pass also updates the others, which an older version may have created; a
   * schedule paused by an operator stays paused.
   * @returns the number of created schedules
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
    // While a run takes longer than its interval, no second one is started.
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: CATCH_UP },
  };
}
