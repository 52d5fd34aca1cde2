/**
 * Orders the test files from longest to shortest, so that no worker ends alone with a long one. The durations are
 * recorded beside this file, because a fresh clone has no cache of them; a run with ATTUNE_RECORD_DURATIONS=true
 * records those of its files again.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const TESTS = join(import.meta.dirname, '../..');
const RECORD = join(import.meta.dirname, 'durations.json');

/** Returns the recorded seconds of test files, by their paths below `test/`. */
export function readDurations(): Record<string, number> {
  return JSON.parse(readFileSync(RECORD, 'utf8')) as Record<string, number>;
}

/** The fields of Jest's `Test` and of its results that are used here. */
interface TestFile {
  path: string;
}
interface Results {
  testResults: { testFilePath: string; perfStats: { start: number; end: number } }[];
}

const nameOf = (path: string): string => relative(TESTS, path);

/** Sorts files by their recorded seconds, descending. A file without a record may be long, so it goes first. */
export function longestFirst<T extends TestFile>(files: readonly T[], seconds: Readonly<Record<string, number>>): T[] {
  const weight = ({ path }: TestFile): number => seconds[nameOf(path)] ?? Number.MAX_VALUE;
  return [...files].sort((a, b) => weight(b) - weight(a) || (a.path < b.path ? -1 : 1));
}

/** Implements Jest's interface of a test sequencer. */
export default class LongFirst {
  sort(files: TestFile[]): TestFile[] {
    return longestFirst(files, readDurations());
  }

  /** `--shard 1/2` takes every second file of the order, so that shards take about equally long. */
  shard(files: TestFile[], { shardIndex, shardCount }: { shardIndex: number; shardCount: number }): TestFile[] {
    return this.sort(files).filter((_, place) => place % shardCount === shardIndex - 1);
  }

  /** `--onlyFailures` needs a record of failures, which is not kept. */
  allFailedTests(files: TestFile[]): TestFile[] {
    return files;
  }

  cacheResults(_files: TestFile[], { testResults }: Results): void {
    if (process.env['ATTUNE_RECORD_DURATIONS'] !== 'true') return;
    const times = testResults.map(
      ({ testFilePath, perfStats: { start, end } }) =>
        [nameOf(testFilePath), Math.round((end - start) / 100) / 10] as const,
    );
    const known = Object.entries(readDurations());
    const there = known.filter(([name]) => existsSync(join(TESTS, name)));
    const byName = [...new Map([...there, ...times])].sort(([a], [b]) => (a < b ? -1 : 1));
    writeFileSync(RECORD, `${JSON.stringify(Object.fromEntries(byName), null, 1)}\n`);
  }
}
