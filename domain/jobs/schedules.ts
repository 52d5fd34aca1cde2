/** Upkeep by the clock: Temporal schedules, which operators can see, trigger and pause. */

export interface ScheduleSpec {
  id: string;
  /** Type of the workflow, and the prefix of its runs' ids. */
  workflow: string;
  /** The arguments of its runs, which are part of their ids. */
  args?: readonly string[];
  /** Shown beside the schedule. */
  note: string;
  /** Either an interval, or a time of the day (UTC). */
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
