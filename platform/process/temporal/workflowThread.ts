/**
 * Entry of the thread that runs workflow code, in place of the SDK's own: the same without the stack traces of
 * promises, and with fewer time limits (docs/decisions/workflow-thread.md).
 */
import v8 from 'node:v8';
import vm from 'node:vm';
import { workerData } from 'node:worker_threads';
import { runsNoWorkflowCode } from './workflowCalls.ts';

/**
 * The SDK takes a stack trace whenever a promise is made in a workflow, for the query `__stack_trace` alone; each costs
 * a compiled function, an error and a look into the source map.
 */
v8.promiseHooks.createHook = () => {
  // The SDK catches this error and reports it on the console, where only lines of the log belong.
  const { warn } = console;
  Object.assign(console, { warn: () => void Object.assign(console, { warn }) });
  throw new Error('stack traces of promises are off');
};

/** Node starts and ends a thread for each call with a time limit, so calls that cannot take long get no limit. */
const { runInContext } = vm.Script.prototype;
vm.Script.prototype.runInContext = function (context, options) {
  const { timeout: _, ...unlimited } = options ?? {};
  return runInContext.call(this, context, runsNoWorkflowCode(context) ? unlimited : options) as unknown;
};

const { sdkThread } = workerData as { sdkThread: string };
await import(sdkThread);
