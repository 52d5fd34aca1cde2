import { expect, it } from '@jest/globals';
import { hasPersonalKey, withoutPersonalParams } from '../../../domain/privacy/removePersonalParams.ts';
import { cpuMsOf } from '../../support/cpuTime.ts';

it('members of params are dropped by their keys at any depth, and texts in them are cleaned', () => {
  expect(
    withoutPersonalParams({
      plan: 'annual',
      email: 'x',
      'anna@x.ru': 1,
      note: 'ask anna@x.ru or +7 916 555-73-01',
      deep: [{ userPhone: 1, id: 7 }, 'anna@x.ru', [{ FIO: 'A' }]],
      link: 'https://x.example/?name=Anna&id=5',
      path: '/u/anna@x.ru',
      back: 'confirm?email=a&id=5',
    }),
  ).toEqual({
    plan: 'annual',
    note: 'ask [email] or [phone]',
    deep: [{ id: 7 }, '[email]', [{}]],
    link: 'https://x.example/?id=5',
    path: '/u/[email]',
    back: 'confirm?id=5',
  });
});

it('numbers, ids, prices and dates in params are kept', () => {
  const params = {
    order_id: '79165557301',
    gclid: 'Cj0KCQiA-79165557301',
    count: 79165557301,
    price: '1 990.00',
    at: '2026-11-20T10:15:30+03:00',
    day: '20.11.2026',
    product_name: 'Kettle 1500',
    flags: [true, null, 0.5],
    nested: { sku: '89165557301', '': '' },
  };
  expect(withoutPersonalParams(params)).toEqual(params);
});

it('a key that names personal data is recognised at any depth', () => {
  expect(hasPersonalKey({ a: [{ 'E-Mail': 1 }] })).toBe(true);
  expect(hasPersonalKey({ 'anna@x.ru': true })).toBe(true);
  expect(hasPersonalKey({ plan: 'anna@x.ru', product_name: [] })).toBe(false);
});

it('a text of question marks takes linear time', async () => {
  const query = '?'.repeat(30_000);
  expect(await cpuMsOf(() => withoutPersonalParams({ query }))).toBeLessThan(500);
});
