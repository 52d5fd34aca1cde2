/**
 * Entry of the thread that runs workflow code, in place of the SDK's own: the same without the stack traces of promises.
 * The SDK takes one whenever a promise is made in a workflow, for the query `__stack_trace` alone; each costs a compiled
 * function, an error and a look into the source map, in all a third of what a workflow costs its thread
 * (docs/decisions/workflow-thread.md).
 */
import v8 from 'node:v8';
import { workerData } from 'node:worker_threads';

v8.promiseHooks.createHook = () => {
  // The SDK catches this, and says so on the console, where nothing else appears but lines of the log.
  const { warn } = console;
  Object.assign(console, { warn: () => void Object.assign(console, { warn }) });
  throw new Error('stack traces of promises are off');
};

const { sdkThread } = workerData as { sdkThread: string };
await import(sdkThread);
