/** The packages that a process loads when it starts: each costs every process that loads it time and memory. */
import { describe, expect, it } from '@jest/globals';
import { SERVICES } from '../../tools/scripts/dev/services/services.ts';
import { readImports } from '../support/runner/imports.ts';

const DECODER = 'activities/media/decoder.ts';
/** Packages for features that few installations use, or that are used seldom: loaded on demand. */
const SELDOM = ['openai', 'nodemailer', 'exceljs', 'tesseract.js', '@aws-sdk/client-s3'];

const importsOf = await readImports([...SERVICES.map(({ entry }) => entry), DECODER]);
const packagesOf = (entry: string): Set<string> => importsOf(entry, 'start').packages;

const common = (one: ReadonlySet<string>, others: readonly string[]): string[] =>
  others.filter((name) => one.has(name));

describe.each(SERVICES)('the process $name', ({ entry }) => {
  it('loads what it always needs, and nothing that it rarely needs', () => {
    const packages = packagesOf(entry);
    expect(packages).toContain('pg');
    expect(common(packages, SELDOM)).toEqual([]);
  });
});

it('only processes with pictures load their decoders, and only workers load the SDK of workers', () => {
  const withPackage = (name: string): string[] =>
    SERVICES.filter(({ entry }) => packagesOf(entry).has(name)).map((service) => service.name);
  expect(withPackage('sharp')).toEqual(['ai']);
  expect(withPackage('@temporalio/worker')).toEqual(['workflow', 'media', 'ai', 'data', 'webhook', 'analytics']);
});

it('the decoder, which is started for each medium, loads no schemas, and sharp only for a type that is allowed', () => {
  const { packages } = importsOf(DECODER, 'ever');
  expect(packages).toContain('sharp');
  expect(common(packages, ['typebox', 'ajv'])).toEqual([]);
  expect([...packagesOf(DECODER)]).toEqual(['file-type']);
});
