/** Determines which of the SDK's calls into its sandbox run workflow code. */
import type { Context } from 'node:vm';

/** Functions that only read from and write to the SDK's own objects. */
const OWN_FUNCTIONS: ReadonlySet<unknown> = new Set(['initialize', 'concludeActivation', 'dispose']);

/** The sandbox, in which the SDK leaves its current call and the state of the current workflow. */
interface Sandbox {
  /** The state of the globals, the function, and its arguments. */
  __temporal_args?: readonly [unknown, unknown, unknown];
  __TEMPORAL_ACTIVATOR__?: { blockedConditions?: ReadonlyMap<unknown, unknown> };
}

/**
 * Returns true for a call that certainly runs no workflow code, so that nothing in it can go on for ever. A call runs
 * all of its microtasks before it ends, so none is left for the next call. `tryUnblockConditions` runs nothing if no
 * condition is blocked.
 */
export function runsNoWorkflowCode(context: Context): boolean {
  const { __temporal_args: call, __TEMPORAL_ACTIVATOR__: workflow } = context as Sandbox;
  const name = call?.[1];
  return OWN_FUNCTIONS.has(name) || (name === 'tryUnblockConditions' && workflow?.blockedConditions?.size === 0);
}
