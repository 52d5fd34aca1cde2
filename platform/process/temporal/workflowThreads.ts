/** Makes the SDK start its threads for workflow code with our own entry file (workflowThread.ts). */
import { pathToFileURL } from 'node:url';
import workerThreads, { Worker, type WorkerOptions } from 'node:worker_threads';

const ENTRY = new URL('./workflowThread.ts', import.meta.url);
const SDK_THREAD = /workflow-worker-thread\.js$/;

/** The SDK names the file of its thread and passes no options. */
class OwnEntryWorker extends Worker {
  constructor(file: string | URL, options?: WorkerOptions) {
    if (SDK_THREAD.test(String(file)))
      super(ENTRY, { ...options, workerData: { sdkThread: pathToFileURL(String(file)).href } });
    else super(file, options);
  }
}

/**
 * Runs `create`, which creates a worker with workflows. The SDK has no option for its threads. It looks up the class
 * `Worker` for each thread, so this function replaces that class while `create` runs. Code that imports the class by
 * name gets the usual one.
 */
export async function withOwnWorkflowThreads<T>(create: () => Promise<T>): Promise<T> {
  Object.assign(workerThreads, { Worker: OwnEntryWorker });
  try {
    return await create();
  } finally {
    Object.assign(workerThreads, { Worker });
  }
}
