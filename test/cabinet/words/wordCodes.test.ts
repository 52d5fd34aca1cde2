/** Every code that the cabinet shows has a text in both languages. */
import { describe, expect, it } from '@jest/globals';
import { RUSSIAN_CABINET } from '../../../api/http/errorMessages.ts';
import { cabinetDescription, cabinetOperations, cabinetPublicOperations } from '../../../api/cabinetApi.ts';
import { describeApi } from '../../../api/http/operations/openapi.ts';
import { titleOfType } from '../../../cabinet/src/data/project/eventTypes.ts';
import { en } from '../../../cabinet/src/words/en/index.ts';
import { ru } from '../../../cabinet/src/words/ru/index.ts';
import { DEFAULT_EVENT_TYPES } from '../../../domain/events/eventTypes.ts';
import { VALUE_SOURCES } from '../../../domain/people/personData.ts';
import { GENDERS } from '../../../domain/people/profile.ts';
import { ROBOT_REASONS } from '../../../domain/visits/robots.ts';

const document = describeApi({
  description: cabinetDescription,
  texts: RUSSIAN_CABINET,
  operations: cabinetOperations,
  publicOperations: cabinetPublicOperations,
});

/** Collects the values of `code` of every error body in the description. */
function describedCodes(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  const { error } = node as { error?: { code?: unknown } };
  const own = typeof error?.code === 'string' ? [error.code] : [];
  return [...own, ...Object.values(node).flatMap(describedCodes)];
}

it('the event types of a new project have titles in both languages', () => {
  for (const type of DEFAULT_EVENT_TYPES) {
    expect(titleOfType(type, ru)).toBe(type.title);
    expect(titleOfType(type, en)).toMatch(/^[A-Z][a-z ]+$/);
    expect(titleOfType({ ...type, title: 'Свой' }, en)).toBe('Свой');
  }
});

describe.each([
  ['en', en],
  ['ru', ru],
] as const)('in %s', (_language, words) => {
  it('every code of an error has a text, and no other code does', () => {
    expect(Object.keys(words.errors.codes).sort()).toEqual(Object.keys(RUSSIAN_CABINET.errors).sort());
  });

  it('every code of a field has a text, and no other code does', () => {
    expect(Object.keys(words.fieldErrors.codes).sort()).toEqual(Object.keys(RUSSIAN_CABINET.details ?? {}).sort());
  });

  it('every code in the examples of the description has a text', () => {
    const codes = new Set(describedCodes(document));
    expect(codes.size).toBeGreaterThan(5);
    expect([...codes].filter((code) => words.errors.codes[code] === undefined)).toEqual([]);
  });

  it('the codes of rows have texts, and no other code does', () => {
    const texts = (of: Readonly<Record<string, string>>): string[] => Object.keys(of).sort();
    expect(texts(words.rowCodes.robotReason)).toEqual([...ROBOT_REASONS].sort());
    expect(texts(words.rowCodes.gender)).toEqual([...GENDERS].sort());
    expect(texts(words.rowCodes.valueSource)).toEqual([...VALUE_SOURCES].sort());
  });

  it('every sentence begins with a capital letter and ends with a full stop', () => {
    const sentences = [...Object.values(words.errors.codes), ...Object.values(words.fieldErrors.codes)];
    expect(sentences.filter((sentence) => !/^\p{Lu}.*\.$/u.test(sentence))).toEqual([]);
  });
});
