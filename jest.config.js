import { availableParallelism } from 'node:os';

/** Tests run as ES modules on TypeScript sources; Node strips the types, tsc checks them separately. */
export default {
  testEnvironment: '<rootDir>/test/support/jest/environment.ts',
  runtime: '<rootDir>/test/support/jest/runtime.ts',
  globalSetup: '<rootDir>/test/support/runner/globalSetup.ts',
  globalTeardown: '<rootDir>/test/support/runner/globalTeardown.ts',
  testSequencer: '<rootDir>/test/support/runner/longFirst.ts',
  reporters: ['default', '<rootDir>/test/support/runner/summaryReporter.ts'],
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {},
  injectGlobals: false,
  // Only ends a hang, so a test needs no limit of its own: a busy machine takes many times as long as an idle one. It
  // is above the longest wait for a single thing (HANG_MS in test/support/eventually.ts).
  testTimeout: 600_000,
  // A worker that ends writes the cache of its compiled modules, which takes longer than Jest's half a second; a worker
  // that is killed meanwhile leaves the next run without them.
  workerGracefulExitTimeout: 60_000,
  // One more than there are cores, because a test file spends a quarter of its time waiting for timers of the product.
  maxWorkers: availableParallelism() + 1,
};
