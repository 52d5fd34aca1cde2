/** Every code that the cabinet shows has a text in every language. */
import { describe, expect, it } from '@jest/globals';
import { RUSSIAN_CABINET } from '../../../api/http/errorMessages.ts';
import { cabinetDescription, cabinetOperations, cabinetPublicOperations } from '../../../api/cabinetApi.ts';
import { describeApi } from '../../../api/http/operations/openapi.ts';
import { titleOfType } from '../../../cabinet/src/data/project/eventTypes.ts';
import { ASKED_CAPABILITIES, MISSING_FILES, PROVIDER_CAPABILITIES } from '../../../domain/analysis/capabilities.ts';
import { DEFAULT_EVENT_TYPES } from '../../../domain/events/eventTypes.ts';
import { VALUE_SOURCES } from '../../../domain/people/personData.ts';
import { GENDERS } from '../../../domain/people/profile.ts';
import type { ConversionRow } from '../../../domain/reports/lakeRows.ts';
import { SITE_ORDER_STATUSES } from '../../../domain/sites/siteFacts.ts';
import { ROBOT_REASONS } from '../../../domain/visits/robots.ts';
import { EVERY_WORDS, WORDS } from '../support/everyWords.ts';

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

it('the event types of a new project have titles in every language', () => {
  const { ru, ...others } = WORDS;
  for (const type of DEFAULT_EVENT_TYPES) {
    expect(titleOfType(type, ru)).toBe(type.title);
    for (const words of Object.values(others)) {
      expect(titleOfType(type, words)).toMatch(/^\p{Script=Latin}[\p{Script=Latin} ]+$/u);
      expect(titleOfType({ ...type, title: 'Свой' }, words)).toBe('Свой');
    }
  }
});

type RowCodes = keyof (typeof WORDS)['en']['rowCodes'];
/** The codes that have texts in `rowCodes`. */
const ROW_CODES: Readonly<Record<RowCodes, readonly string[]>> = {
  yesNo: ['yes', 'no'],
  visitorType: ['new', 'returning'],
  robotReason: ROBOT_REASONS,
  goalSource: Object.keys({ tag: true, api: true, url: true, event: true } satisfies Record<
    ConversionRow['goal_source'],
    true
  >),
  orderStatus: SITE_ORDER_STATUSES,
  gender: GENDERS,
  valueSource: VALUE_SOURCES,
};

describe.each(EVERY_WORDS)('in %s', (_language, words) => {
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
    for (const [kind, codes] of Object.entries(ROW_CODES))
      expect([kind, texts(words.rowCodes[kind as RowCodes])]).toEqual([kind, codes.toSorted()]);
  });

  it('missing files, built-in capabilities and faults of capabilities have sentences, and nothing else does', () => {
    const { missing, builtin, faultsOf } = words.installation.providers;
    expect(Object.keys(missing).sort()).toEqual([...MISSING_FILES].sort());
    expect(Object.keys(builtin).sort()).toEqual([...PROVIDER_CAPABILITIES].sort());
    expect(Object.keys(faultsOf).sort()).toEqual([...ASKED_CAPABILITIES].sort());
  });

  it('every sentence begins with a capital letter and ends with a full stop', () => {
    const sentences = [...Object.values(words.errors.codes), ...Object.values(words.fieldErrors.codes)];
    expect(sentences.filter((sentence) => !/^\p{Lu}.*\.$/u.test(sentence))).toEqual([]);
  });
});
