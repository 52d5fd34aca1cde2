/** The texts that state the default limits. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { FAILED_LOOKUPS } from '../../../api/auth/keyLookups.ts';
import { PER_ACCOUNT, PER_ADDRESS } from '../../../api/auth/loginLimit.ts';
import { SIMULTANEOUS } from '../../../api/cabinet/reports/simultaneousReports.ts';
import { REQUESTS_PER_SECOND } from '../../../api/cabinet/requestRate.ts';
import { loadConfig } from '../../../config.ts';
import { TEST_WINDOW_SECONDS, TESTS_PER_WINDOW } from '../../../db/webhooks/deliveries/testLimit.ts';
import { DEFAULT_PROJECT_LIMITS } from '../../../domain/accounts/projectLimits.ts';
import { DEFAULT_SITE_LIMITS } from '../../../domain/sites/siteLimits.ts';
import { EVENTS_LIMIT, REQUESTS_LIMIT } from '../../../domain/visits/robotFrequency.ts';

const ROOT = join(import.meta.dirname, '../../..');
const { requests_per_second: requests, output_per_second: output } = DEFAULT_PROJECT_LIMITS;
const {
  requests_per_second: writes,
  output_per_second: reads,
  reports_simultaneous: simultaneous,
  reports_per_minute: perMinute,
} = DEFAULT_SITE_LIMITS;
const { ipRequestsPerMinute, ipSimultaneous } = loadConfig({
  DATABASE_URL: 'postgres://attune@localhost/attune',
  SECRET_KEY: 'x'.repeat(44),
  PUBLIC_URL: 'https://attune.example.com',
});
const ofAddress = `${ipRequestsPerMinute.toLocaleString('en')} a minute`;
const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth'];
/** Returns the ordinal of the first report over the limit. */
const oneTooMany = (most: number): string => ORDINALS[most] ?? `ORDINALS lacks ${most + 1}`;

const tests = `${TESTS_PER_WINDOW} in ${TEST_WINDOW_SECONDS / 60} minutes`;
const rateOf = ({ capacity, perSecond }: { capacity: number; perSecond: number }): string =>
  `${capacity} and then one in ${Math.round(1 / perSecond)} s`;
/** Returns the attempts of a day: the whole burst, and what is earned meanwhile. */
const perDay = ({ capacity, perSecond }: { capacity: number; perSecond: number }): string =>
  Math.round(capacity + perSecond * 86_400).toLocaleString('en');
const { count: perVisitor, periodMs } = REQUESTS_LIMIT;
const events = EVENTS_LIMIT.count.toLocaleString('en');

/** Returns all limits with their figures, as a rule lists them. */
const listed = (limits: object): string =>
  Object.entries(limits)
    .map(([name, figure]) => `${name} ${figure}`)
    .join(', ');

it.each([
  ['test/conformance/rules/decisions/cabinet.ts', `'${listed(DEFAULT_PROJECT_LIMITS)}; may be changed`],
  ['test/conformance/rules/decisions/cabinet.ts', `'${listed(DEFAULT_SITE_LIMITS)}; may be changed`],
  ['test/conformance/rules/content.ts', `rule('output', '${output} a second per key'`],
  ['test/conformance/rules/content.ts', `rule('other-methods', '${requests} a second per key'`],
  ['test/conformance/rules/output.ts', `'${output} a second per key'`],
  ['test/conformance/rules/output.ts', `have their own ${requests} a second`],
  ['test/conformance/rules/output.ts', `${output} by default`],
  ['test/conformance/rules/analytics.ts', `rule('writes-rate', '${writes} a second per key`],
  ['test/conformance/rules/analytics.ts', `'${reads} a second per key, of the three together'`],
  ['test/conformance/rules/analytics.ts', `${simultaneous} at a time and ${perMinute} in any 60 seconds per key`],
  ['test/conformance/rules/analytics.ts', `a ${oneTooMany(simultaneous)} simultaneous report`],
  ['test/conformance/rules/analytics.ts', `${ofAddress} under /api/`],
  ['test/conformance/rules/content.ts', `${ofAddress}, ${ipSimultaneous} at a time`],
  [
    'test/conformance/rules/reports.ts',
    `'${writes} requests, ${reads} of output a second, ${simultaneous} reports at once, ${perMinute} a minute'`,
  ],
  ['docs/decisions/rate-limits.md', `${ofAddress} and ${ipSimultaneous} at a time for an address`],
  ['docs/decisions/rate-limits.md', `at most ${perMinute} in any 60 seconds for a key`],
  ['docs/decisions/rate-limits.md', `${REQUESTS_PER_SECOND} requests a second for each token and each session`],
  ['docs/decisions/rate-limits.md', `The limits are ${requests} (output: ${output}) requests a second for a key`],
  ['docs/people.md', `write ${writes} times a second`],
  ['docs/people.md', `read ${reads} times`],
  ['docs/reports.md', `a ${oneTooMany(simultaneous)} report at the same time`],
  ['docs/reports.md', `in the cabinet a ${oneTooMany(SIMULTANEOUS)} at the same time by one user`],
  ['docs/reports.md', `more than ${perMinute} in any 60 seconds`],
  ['test/conformance/rules/content.ts', `one attempt, ${tests} per project`],
  ['test/conformance/rules/content.ts', `rule('webhook-tests', '${tests}'`],
  ['docs/webhooks.md', `${TESTS_PER_WINDOW} tests in ${TEST_WINDOW_SECONDS / 60} minutes`],
  ['docs/decisions/accounts.md', `${rateOf(PER_ADDRESS)} for an address; ${rateOf(PER_ACCOUNT)} for an account`],
  ['docs/decisions/accounts.md', `counted separately, ${rateOf(PER_ACCOUNT)}`],
  ['api/auth/loginLimit.ts', `a guesser gets ${Math.round(PER_ADDRESS.perSecond * 60)} attempts a minute`],
  ['api/auth/loginLimit.ts', `${perDay(PER_ACCOUNT)} passwords a day`],
  [
    'docs/decisions/rate-limits.md',
    `${FAILED_LOOKUPS.capacity} look-ups that find nothing, and ${FAILED_LOOKUPS.perSecond} more a second`,
  ],
  ['api/auth/keyLookups.ts', `guesses keys gets ${FAILED_LOOKUPS.perSecond} attempts a second`],
  ['test/conformance/rules/analytics.ts', `rule('requests', '${perVisitor} in ${periodMs / 1000} seconds'`],
  ['test/conformance/rules/analytics.ts', `rule('events', '${events} an hour'`],
  ['docs/collect.md', `more than ${perVisitor} requests in ${periodMs / 1000} seconds or ${events} events in an hour`],
  ['docs/tag.md', `${perVisitor} requests in ${periodMs / 1000} s, ${events} events an hour`],
  ['docs/decisions/visits.md', `${perVisitor} in any ${periodMs / 1000} s of receipt`],
  ['docs/decisions/visits.md', `a flood lets ${perVisitor} in ${periodMs / 1000} s through`],
  ['docs/decisions/tag.md', `the limit is ${perVisitor} in ${periodMs / 1000} s for a visitor`],
  ['docs/decisions/visits.md', `${events} in an hour of the events' own time`],
])('%s states the limit: %s', (file, text) => {
  expect(readFileSync(join(ROOT, file), 'utf8').includes(text)).toBe(true);
});
