import { availableParallelism } from 'node:os';
import base from './jest.config.js';
import { findQuickUnitFiles } from './test/support/runner/unitFiles.ts';

/** The fast lane: the short tests that need no server, without the broker that starts servers. */
const { globalSetup: _broker, globalTeardown: _end, ...shared } = base;

export default {
  ...shared,
  testMatch: (await findQuickUnitFiles()).map((file) => `<rootDir>/${file}`),
  // These tests wait for nothing, so one more worker than there are cores would only load all modules once more. With
  // a single one Jest would run them in its own process.
  maxWorkers: Math.max(2, availableParallelism()),
};
