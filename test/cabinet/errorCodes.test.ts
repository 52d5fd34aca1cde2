/** The cabinet's texts about the reasons why a step of the analysis was not done. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { MEDIA_FAULTS } from '../../activities/mediaErrors.ts';
import { CODES, remedyOf } from '../../cabinet/src/pages/content/item/analysis/remedies.ts';
import { FAULT_MESSAGES, LOSES_SOUND } from '../../domain/items/errorCodes.ts';
import { isSettingsFault, PROVIDER_CODES } from '../../providers/errors.ts';
import { EVERY_WORDS } from './support/everyWords.ts';

const KNOWN = [...new Set([...Object.keys(FAULT_MESSAGES), ...Object.keys(MEDIA_FAULTS), ...PROVIDER_CODES])].sort();

it('every code, and no other, is listed under one remedy (CODES in remedies.ts); a later code can be tried again', () => {
  expect(Object.values(CODES).flat().toSorted()).toEqual(KNOWN);
  expect(remedyOf('a_code_to_come')).toBe('again');
});

it('docs/decisions/processing-errors.md lists every code for a part that preparing leaves out (LOSES_SOUND)', () => {
  const text = readFileSync(join(import.meta.dirname, '../../docs/decisions/processing-errors.md'), 'utf8');
  expect(Object.keys(LOSES_SOUND).filter((code) => !text.includes(`\`${code}\``))).toEqual([]);
});

describe.each(EVERY_WORDS)('in words/%s', (_language, { reasons, item, installation }) => {
  it('every code has a text (reasons in pipeline.ts), and no other code has', () => {
    expect(Object.keys(reasons).sort()).toEqual(KNOWN);
  });

  it('every remedy has a text (standstill.remedies in item.ts)', () => {
    expect(Object.keys(item.standstill.remedies).sort()).toEqual(Object.keys(CODES).sort());
  });

  it('every fault of a server or the settings has a text for the operator (providers.faults in installation.ts)', () => {
    const codes = PROVIDER_CODES.filter((code) => code.startsWith('provider_') || isSettingsFault(code));
    expect(Object.keys(installation.providers.faults).sort()).toEqual(codes.toSorted());
  });
});
