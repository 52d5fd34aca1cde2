import base from './jest.config.js';
import { findUnitFiles } from './test/support/unitFiles.ts';

/** The fast lane: the tests that need no server, without the broker that starts servers. */
const { globalSetup: _broker, globalTeardown: _end, ...shared } = base;

export default {
  ...shared,
  testMatch: findUnitFiles().map((file) => `<rootDir>/${file}`),
};
