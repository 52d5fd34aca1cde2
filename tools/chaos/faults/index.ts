/** Every fault, in the order of the run. */
import type { Fault } from '../fault.ts';
import { changedWorkflows } from './changedWorkflows.ts';
import { clockOff } from './clockOff.ts';
import { diskFull } from './diskFull.ts';
import { kills, postgresRestart } from './kills.ts';
import { receiverFails } from './receiverFails.ts';
import { receiverHangs } from './receiverHangs.ts';
import { temporalUnreachable } from './temporalUnreachable.ts';
import { twoWorkers } from './twoWorkers.ts';

export const FAULTS: readonly Fault[] = [
  ...kills,
  postgresRestart,
  temporalUnreachable,
  diskFull,
  clockOff,
  twoWorkers,
  // These two leave thousands of retries that become due during the next fault.
  receiverHangs,
  receiverFails,
  changedWorkflows,
];
