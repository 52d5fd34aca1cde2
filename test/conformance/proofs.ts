/** Collects the tags of all test files, by rule. */
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MARK, readTags } from './tags.ts';

const ROOT = join(import.meta.dirname, '..', '..');

export interface TestRef {
  /** Path from the root, with slashes. */
  file: string;
  title: string;
  /** Beginnings of the rows of the test's table that prove the rule; empty when the whole test does. */
  rows: string[];
}

export interface Proofs {
  /** The tests by the id that they name, in the order of files and of lines. */
  byRule: ReadonlyMap<string, readonly TestRef[]>;
  /** `file: text` for each tag that is not directly above a test, a group or a row. */
  stray: string[];
}

export async function readProofs(): Promise<Proofs> {
  const byRule = new Map<string, TestRef[]>();
  const stray: string[] = [];
  for (const file of await testFiles()) {
    const source = await readFile(join(ROOT, file), 'utf8');
    // Parsing takes milliseconds a file, and most files have no tags.
    if (!source.includes(MARK)) continue;
    const tags = readTags(source);
    stray.push(...tags.stray.map((text) => `${file}: ${text}`));
    for (const { rule, title, row } of tags.proofs) {
      const tests = byRule.get(rule) ?? [];
      const known = tests.find((test) => test.file === file && test.title === title);
      const test = known ?? { file, title, rows: [] };
      if (row !== undefined) test.rows.push(row);
      if (!known) byRule.set(rule, [...tests, test]);
    }
  }
  return { byRule, stray };
}

async function testFiles(): Promise<string[]> {
  const files: string[] = [];
  for await (const file of glob('test/**/*.test.ts', { cwd: ROOT })) files.push(file);
  return files.toSorted();
}
