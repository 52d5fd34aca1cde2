/** Temporal keeps its connections but stops answering, as behind a network that drops everything. */
import type { Fault, FaultNotes, Stage } from '../fault.ts';

const SECONDS = 60;
const BRIEF_SECONDS = 6;
/** Requests to the API do not depend on Temporal. This limit allows for a load that is slow on a busy machine. */
const MAX_MS = 30_000;

/** Sends SIGSTOP: the process exists and its sockets are open, but nothing is answered. */
async function freezeTemporal(stage: Stage, seconds: number): Promise<FaultNotes> {
  const { temporal } = await stage.stack.pids();
  if (temporal === undefined) throw new Error('there is no process temporal');
  const before = stage.load.counts.accepted;
  process.kill(temporal, 'SIGSTOP');
  try {
    await stage.wait(seconds);
    const started = performance.now();
    await stage.load.accepted(1);
    if (performance.now() - started > MAX_MS) throw new Error('the API stopped accepting while Temporal was silent');
  } finally {
    process.kill(temporal, 'SIGCONT');
  }
  return { 'accepted meanwhile': stage.load.counts.accepted - before };
}

export const temporalUnreachable: Fault = {
  name: 'temporal-unreachable',
  title: `Temporal silent for ${SECONDS} s (SIGSTOP: connections stay, nothing is answered)`,
  inject: (stage) => freezeTemporal(stage, SECONDS),
  brief: (stage) => freezeTemporal(stage, BRIEF_SECONDS),
};
