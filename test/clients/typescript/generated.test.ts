import { describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { currentRecords, RECORD_FILE, type GeneratedRecords } from '../../../tools/scripts/client/record.ts';

/** The fault's name says what to do. */
describe('the generated client (run `npm run client:generate` when this fails)', () => {
  it('matches the descriptions, and was not changed by hand', async () => {
    const recorded = JSON.parse(await readFile(RECORD_FILE, 'utf8')) as GeneratedRecords;
    expect(await currentRecords()).toEqual(recorded);
  });
});
