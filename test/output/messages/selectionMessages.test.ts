import { expect, it } from '@jest/globals';
import type { ShowRules } from '../../../domain/output/mayShow.ts';
import { readQuestion, writeQuestion } from '../../../output/messages/selectionMessages.ts';
import { NO_RULES } from '../../support/showRules.ts';

const given: ShowRules = {
  filters: [{ property: 'level', op: 'eq', type: 'number', operands: [1], isWanted: true }],
  types: new Set(['video', 'text']),
  authors: new Set(['an author']),
  excludedAuthors: new Set(['another']),
  publishedAfter: new Date('2026-01-02T03:04:05.006Z'),
  publishedBefore: new Date('2026-02-03T04:05:06.007Z'),
  maxAgeRating: '12+',
  excludedItems: new Set(['a', 'b', 'a']),
  excludedInterests: new Set(['football']),
};
const open: ShowRules = {
  ...given,
  filters: [],
  types: null,
  authors: null,
  excludedItems: new Set(),
  publishedAfter: null,
  publishedBefore: null,
  maxAgeRating: null,
};

it.each([given, open])('a question is read as it was written', (rules) => {
  const question = { projectId: 'p', rules, limit: 20, msLeft: 100 };
  expect(readQuestion(writeQuestion(question))).toEqual(question);
});

it.each(Object.keys(NO_RULES))(
  'the rule %s of a question that lacks it, from the previous release, forbids nothing',
  (name) => {
    const { [name]: _newer, ...rules } = JSON.parse(writeQuestion({ projectId: 'p', rules: given, msLeft: 100 })).rules;
    const read = readQuestion(JSON.stringify({ projectId: 'p', rules, msLeft: 100 }));
    expect(read.rules).toEqual({ ...given, [name]: NO_RULES[name as keyof ShowRules] });
  },
);
