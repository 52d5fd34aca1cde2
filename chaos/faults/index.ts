/** Every fault, in the order of the run. */
import type { Fault } from '../fault.ts';
import { kills, postgresRestart } from './kills.ts';
import { temporalUnreachable } from './temporalUnreachable.ts';

export const FAULTS: readonly Fault[] = [...kills, postgresRestart, temporalUnreachable];
