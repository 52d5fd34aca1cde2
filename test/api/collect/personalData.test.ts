/**
 * Personal data is removed from events before they are stored. test/whole/personalData.test.ts looks for it wherever it
 * could be kept.
 */
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { CollectedEvent } from '../../../domain/collect/collected.ts';
import { stageApi } from '../support/stageApi.ts';
import { batch, collect, createTestSite, event, readInbox, type TestSite } from './support/site.ts';

const stage = stageApi();
let site: TestSite;

beforeEach(async () => {
  site = await createTestSite(stage.database.pool);
});

/** Sends an event, and returns it as it is stored. */
async function stored(change: object): Promise<CollectedEvent | undefined> {
  const { body } = await collect(stage.api, batch(site.tagKey, [event(change)]));
  expect(body).toEqual({ accepted: 1, dropped: [] });
  return (await readInbox(stage.database.pool, site.id)).at(-1)?.batch.events[0];
}

describe('an event is stored', () => {
  // proves: decisions-privacy/keys, decisions-privacy/keys-folded
  it.each(['email', 'E-MAIL', 'e_mail', 'e.mail', 'e mail', 'user_email', 'billingAddress', 'contact[phone]', 'имя'])(
    'without the members of params and queries whose key is %s',
    async (key) => {
      const query = `?a=1&${encodeURIComponent(key)}=x&b=2`;
      const hit = await stored({
        type: 'outbound',
        url: `https://shop.test/cart${query}`,
        referrer: `https://search.test/${query}`,
        target: `https://other.test/${query}`,
        params: { [key]: 'x', deep: [{ [key]: 1, n: 7 }], product_name: 'x' },
      });
      expect([hit?.url, hit?.referrer, hit?.target, hit?.params]).toEqual([
        'https://shop.test/cart?a=1&b=2',
        'https://search.test/?a=1&b=2',
        'https://other.test/?a=1&b=2',
        { deep: [{ n: 7 }], product_name: 'x' },
      ]);
    },
  );

  // proves: decisions-privacy/params, decisions-privacy/addresses, decisions-privacy/referrers
  // proves: decisions-privacy/titles
  it.each([
    ['anna@example.ru', '[email]'],
    ['+7 916 555-73-01', '[phone]'],
  ])('with a mark in place of %s in its texts', async (contact, mark) => {
    const encoded = encodeURIComponent(contact);
    const hit = await stored({
      type: 'download',
      url: `https://shop.test/u/${encoded}?q=${encoded}#${encoded}`,
      referrer: `https://search.test/${encoded}?q=${encoded}`,
      target: `https://shop.test/${encoded}?file=${encoded}`,
      title: `Order of ${contact}`,
      name: `to ${contact}`,
      selector: `a[title="${contact}"]`,
      params: { note: `ask ${contact}`, deep: [[contact]], next: `/u?q=${encoded}` },
    });
    expect(hit).toMatchObject({
      url: `https://shop.test/u/${mark}?q=${mark}#${mark}`,
      referrer: `https://search.test/${mark}?q=${mark}`,
      target: `https://shop.test/${mark}?file=${mark}`,
      title: `Order of ${mark}`,
      name: `to ${mark}`,
      selector: `a[title="${mark}"]`,
      params: { note: `ask ${mark}`, deep: [[mark]], next: `/u?q=${mark}` },
    });
  });

  // proves: decisions-privacy/texts
  it.each([
    ['anna@example.ru', '[email]'],
    ['+7 916 555-73-01', '[phone]'],
  ])('with a mark in place of %s in the texts of its order', async (contact, mark) => {
    const texts = (text: string) => ({ name: `Card for ${text}`, category: text, brand: text, variant: text });
    const hit = await stored({
      type: 'purchase',
      order: { transaction_id: 't-1', promo_code: `gift to ${contact}`, products: [{ id: 'p-1', ...texts(contact) }] },
    });
    expect(hit?.order).toMatchObject({
      transaction_id: 't-1',
      promo_code: `gift to ${mark}`,
      products: [{ id: 'p-1', ...texts(mark) }],
    });
  });

  // proves: decisions-privacy/texts
  it('with a mark in place of contacts in the description of its device', async () => {
    const device = {
      screen: 'anna@example.ru',
      window: '+7 916 555-73-01',
      language: 'ru anna@example.ru',
      timezone: 'Europe/anna@example.ru',
    };
    await collect(stage.api, { ...batch(site.tagKey, [event({})]), device });
    const [row] = await readInbox(stage.database.pool, site.id);
    expect(row?.batch.device).toEqual({
      screen: '[email]',
      window: '[phone]',
      language: 'ru [email]',
      timezone: 'Europe/[email]',
    });
  });
});
