import { describe, expect, it } from '@jest/globals';
import { goalMatchFaults } from '../../../domain/schemas/goalMatch.ts';
import type { GoalType, GoalMatch } from '../../../domain/sites/goalDefinition.ts';

const plain = (type: GoalType, match: GoalMatch | null) =>
  goalMatchFaults(type, match).map(({ field, code }) => `${field}: ${code}`);

describe('the match of a goal', () => {
  it.each<[GoalType, GoalMatch | null]>([
    ['js', null],
    ['purchase', null],
    ['form', null],
    ['form', {}],
    ['form', { form_id: 'order' }],
    ['event', { name: 'play' }],
    ['url', { op: 'eq', value: 'https://a.test/' }],
    ['url', { op: 'regex', value: '^/catalog/[0-9]+$' }],
    ['url', { op: 'contains', value: '(' }],
    // proves: decisions-faults/characters
    ['url', { op: 'regex', value: `[${'😀'.repeat(998)}]` }],
  ])('of %s may be %j', (type, match) => {
    expect(plain(type, match)).toEqual([]);
  });

  it.each<[GoalType, GoalMatch | null, string[]]>([
    ['js', { name: 'x' }, ['match: invalid_value']],
    ['purchase', {}, ['match: invalid_value']],
    ['url', null, ['match: required']],
    ['event', null, ['match: required']],
    ['url', {}, ['match.op: required', 'match.value: required']],
    ['url', { op: 'eq' }, ['match.value: required']],
    ['event', { name: 'x', value: 'y' }, ['match.value: unknown_field']],
    ['form', { name: 'x' }, ['match.name: unknown_field']],
    ['url', { op: 'regex', value: '(' }, ['match.value: invalid_value']],
    ['url', { op: 'regex', value: '(?=a)' }, ['match.value: invalid_value']],
    ['url', { op: 'regex', value: '(a)\\1' }, ['match.value: invalid_value']],
    ['url', { op: 'regex', value: '[a-z]{1000}' }, ['match.value: invalid_value']],
    ['url', { op: 'regex', value: `[${'😀'.repeat(999)}]` }, ['match.value: invalid_value']],
    ['url', { op: 'regex', value: '('.repeat(1_000) + ')'.repeat(1_000) }, ['match.value: invalid_value']],
  ])('of %s is not %j', (type, match, faults) => {
    expect(plain(type, match)).toEqual(faults);
  });

  // Compiled, the first takes 360 ms and the second 100.
  it.each(['(x{1000})'.repeat(227), '((((x{9}){9}){9}))'.repeat(100), '(x{2,1000}){1,1000}'])(
    'is validated quickly: %#',
    (value) => {
      plain('url', { op: 'regex', value: '(a|b){3}[c-d]{2}' });
      const before = process.threadCpuUsage();
      expect(plain('url', { op: 'regex', value })).toEqual(['match.value: invalid_value']);
      const { user, system } = process.threadCpuUsage(before);
      expect((user + system) / 1000).toBeLessThan(50);
    },
  );

  it.each(['(a|b|c|d){50}', '[[:alpha:]]{20}\\{3}', '\\p{Greek}{9}\\x{10ffff}', '(?:foo|bar){10}[]a]{2}'])(
    'may contain reasonable repetition: %s',
    (value) => {
      expect(plain('url', { op: 'regex', value })).toEqual([]);
    },
  );
});
