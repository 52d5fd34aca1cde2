/** The packages that a process loads at its start: each costs every process that loads it time and memory. */
import { existsSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { SERVICES } from '../../scripts/dev/services.ts';

const ROOT = join(import.meta.dirname, '../..');
const STATIC_IMPORT = /^(?:import|export)\s(?:[\w$*{},\s]*?\sfrom\s)?\s*['"]([^'"]+)['"]/gm;
/** Packages for features that few installations use, or that are used seldom: loaded on demand. */
const SELDOM = ['openai', 'nodemailer', 'exceljs', 'tesseract.js', '@aws-sdk/client-s3'];

/** Returns the packages that a file of ours imports statically. */
function packagesOf(file: string, seen = new Set<string>()): Set<string> {
  const packages = new Set<string>();
  if (seen.has(file) || !file.endsWith('.ts') || !existsSync(join(ROOT, file))) return packages;
  seen.add(file);
  const code = stripTypeScriptTypes(readFileSync(join(ROOT, file), 'utf8'));
  for (const [, name = ''] of code.matchAll(STATIC_IMPORT)) {
    const found = name.startsWith('.') ? packagesOf(join(dirname(file), name), seen) : [name];
    for (const one of found) packages.add(one);
  }
  return packages;
}

const common = (one: ReadonlySet<string>, others: readonly string[]): string[] =>
  others.filter((name) => one.has(name));

describe.each(SERVICES)('the process $name', ({ entry }) => {
  it('has what it always needs, and nothing that comes up seldom', () => {
    const packages = packagesOf(entry);
    expect(packages).toContain('pg');
    expect(common(packages, SELDOM)).toEqual([]);
  });
});

it('only processes with pictures load what decodes them, and only workers the SDK of workers', () => {
  const withPackage = (name: string): string[] =>
    SERVICES.filter(({ entry }) => packagesOf(entry).has(name)).map((service) => service.name);
  expect(withPackage('sharp')).toEqual(['ai']);
  expect(withPackage('@temporalio/worker')).toEqual(['workflow', 'media', 'ai', 'data', 'webhook', 'analytics']);
});

it('the decoder, which is started for each medium, loads no schemas', () => {
  const packages = packagesOf('activities/media/decoder.ts');
  expect(packages).toContain('sharp');
  expect(common(packages, ['typebox', 'typebox/value', 'ajv'])).toEqual([]);
});
