/**
 * The keys of advisory locks: no two locks share a key by accident, and no release uses the key of another's lock.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { LOCK_CLASSES, LOCK_KEYS } from '../../db/lockKeys.ts';

const ROOT = join(import.meta.dirname, '../..');
/** The keys of released versions, which hold them during an upgrade. */
const RELEASED = {
  migrate: 4_817_231_905,
  reconciler: 4_817_231_906,
  retention: 4_817_231_907,
  volume: 4_817_231_908,
  lakeSchema: 4_817_231_911,
  lakeTurn: 4_817_231_912,
  lakePrecedence: 4_817_231_913,
  lakeUpkeep: 4_817_231_914,
};

it.each([LOCK_KEYS, LOCK_CLASSES])('no two of %j are the same', (keys) => {
  const values: number[] = Object.values(keys);
  expect(new Set(values).size).toBe(values.length);
});

it('those that were released stay with their locks', () => {
  expect(LOCK_KEYS).toMatchObject(RELEASED);
});

it('there are no others: wherever a lock is taken, its key is one of these or made of a text', () => {
  const files = ['db', 'relay', 'ingest', 'reports', 'api', 'delivery', 'activities', 'output', 'process'].flatMap(
    (folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
  );
  const sources = files
    .filter((file) => file.endsWith('.ts') && file !== 'db/lockKeys.ts')
    .map((file) => ({ file, text: readFileSync(join(ROOT, file), 'utf8') }));
  const taking = sources.filter(({ text }) => /pg_(?:try_)?advisory_|\brunAlone\(/.test(text));
  expect(taking.length).toBeGreaterThan(8);
  const strange = taking.filter(({ text }) => {
    const own = /\b4_?817_?231_?\d|advisory_\w*lock\w*\(\s*\d/.test(text);
    const isKnown = /lockKeys\.ts'|advisoryLock\.ts'|hashtext/.test(text);
    return own || !isKnown;
  });
  expect(strange.map(({ file }) => file)).toEqual([]);
});
