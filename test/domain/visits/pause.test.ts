import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { isOver } from '../../../db/visits/visitEnd.ts';
import { VISIT_PAUSE_MS } from '../../../domain/visits/visitPause.ts';

it('the pause that ends a visit is half an hour, in the rules and in SQL statements', () => {
  expect(VISIT_PAUSE_MS).toBe(1_800_000);
  expect(isOver('v')).toBe(`v.last_hit_at < now() - interval '1800000 milliseconds'`);
});

const ROOT = join(import.meta.dirname, '../../..');
const minutes = VISIT_PAUSE_MS / 60_000;

describe('the texts that state the pause', () => {
  it.each([
    ['cabinet/src/words/en/analytics/overview.ts', `A visit ends after ${minutes} minutes without a hit`],
    ['cabinet/src/words/ru/analytics/overview.ts', `Визит заканчивается через ${minutes} минут без хитов`],
    ['reports/registry/about/metricDescriptions.ts', `A pause of more than ${minutes} minutes`],
    ['reports/registry/about/metricDescriptions.ts', `Перерыв больше ${minutes} минут`],
    ['domain/glossary.ts', `without a pause of over ${minutes} minutes`],
    ['domain/visits/visitState.ts', `whose last hit is at most ${minutes} minutes`],
    ['docs/operations.md', `${minutes} minutes after its last hit`],
    ['docs/decisions/recordings.md', `with less than ${minutes} minutes between them`],
    ['docs/decisions/visits.md', `within ${minutes} minutes of both`],
    ['docs/decisions/reports-kept.md', `at most ${minutes} minutes apart`],
    ['docs/decisions/development-stack.md', `over ${minutes + 1} minutes`],
    ['test/conformance/rules/reports.ts', `a pause of exactly ${minutes}:00`],
    ['test/conformance/rules/decisions/visitors.ts', `${minutes} minutes without a hit end a visit`],
    ['test/conformance/rules/decisions/storage.ts', `soon after its ${minutes} minutes`],
    ['test/domain/visits/visits.test.ts', `is a pause of more than ${minutes} minutes, not of exactly ${minutes}`],
    ['test/domain/visits/visits.test.ts', `had ended up to ${minutes} minutes before`],
    ['test/domain/visits/visits.test.ts', `starts up to ${minutes} minutes later`],
  ])('%s: %s', (file, text) => {
    expect(readFileSync(join(ROOT, file), 'utf8').includes(text)).toBe(true);
  });
});
