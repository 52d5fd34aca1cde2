/** The cabinet's texts about the reasons why a step of the analysis was not done. */
import { describe, expect, it } from '@jest/globals';
import { MEDIA_FAULTS } from '../../activities/mediaErrors.ts';
import { CODES, remedyOf } from '../../cabinet/src/pages/content/item/analysis/remedies.ts';
import { FAULT_MESSAGES } from '../../domain/items/errorCodes.ts';
import { isSettingsFault, PROVIDER_CODES } from '../../providers/errors.ts';
import { EVERY_WORDS } from './support/everyWords.ts';

const KNOWN = [...new Set([...Object.keys(FAULT_MESSAGES), ...Object.keys(MEDIA_FAULTS), ...PROVIDER_CODES])].sort();

it('every code has one remedy (CODES in remedies.ts), and no other code has', () => {
  expect(Object.values(CODES).flat().toSorted()).toEqual(KNOWN);
  expect(remedyOf('a_code_to_come')).toBe('again');
});

describe.each(EVERY_WORDS)('in words/%s', (_language, { reasons, item, installation }) => {
  it('every code has a text (reasons in pipeline.ts), and no other code has', () => {
    expect(Object.keys(reasons).sort()).toEqual(KNOWN);
  });

  it('every remedy has a text (standstill.remedies in item.ts)', () => {
    expect(Object.keys(item.standstill.remedies).sort()).toEqual(Object.keys(CODES).sort());
  });

  it('every fault of the settings has a text for the operator (providers.faults in installation.ts)', () => {
    expect(PROVIDER_CODES.filter((code) => isSettingsFault(code) && !installation.providers.faults[code])).toEqual([]);
  });
});
