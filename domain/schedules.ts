/** Upkeep on a clock: Temporal schedules, which operators see, trigger and pause. */

export interface ScheduleSpec {
  id: string;
  /** Type of the workflow, and the beginning of its runs' ids. */
  workflow: string;
  /** What its runs are told; part of their ids. */
  args?: readonly string[];
  /** Shown beside the schedule. */
  note: string;
  /** Either so often, or at this time of the day (UTC). */
  at: { everyMinutes: number } | { hour: number; minute: number };
}

export const SCHEDULES: readonly ScheduleSpec[] = [
  {
    id: 'lake-merge',
    workflow: 'mergeLake',
    note: 'Merges small files of the lake and removes those that no reader can see any more',
    at: { everyMinutes: 5 },
  },
  {
    id: 'lake-retention',
    workflow: 'retainLake',
    note: 'Removes hits, visits and facts that are older than their site keeps',
    at: { hour: 1, minute: 20 },
  },
  {
    id: 'visitor-deletions',
    workflow: 'deleteVisitors',
    note: 'Removes every trace of the visitors and users whose deletion was asked for',
    at: { everyMinutes: 60 },
  },
  {
    id: 'training-night',
    workflow: 'startTrainings',
    args: ['night'],
    note: 'Trains the models of all projects that have new events, in full',
    at: { hour: 0, minute: 35 },
  },
  {
    id: 'training-changes',
    workflow: 'startTrainings',
    args: ['changes'],
    note: 'Brings models up to date with new events, deletions of people and links, and makes the first one of a project',
    at: { everyMinutes: 10 },
  },
];

/** Who began to read the lake sees it as it was for so long, files included: a report takes a minute at most. */
export const SNAPSHOT_MINUTES = 15;
