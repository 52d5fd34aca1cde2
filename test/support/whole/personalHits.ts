/**
 * Hits, conversions and orders with an e-mail address and a telephone number in every field that holds free text.
 */
import { randomUUID } from 'node:crypto';

export interface Contacts {
  email: string;
  /** The number in the form in which people write it. */
  phone: string;
}

const SHOP = 'https://shop.example';

/** Returns the batch of a tag, or of a tracker that puts contacts where they do not belong. */
export function personalBatch({ email, phone }: Contacts, key: string, visitorId: string, mark: string): object {
  const [mail, number] = [encodeURIComponent(email), encodeURIComponent(phone)];
  const digits = phone.replaceAll(/\D/g, '');
  const text = `${email} / ${phone}`;
  const at = new Date().toISOString();
  const event = (type: string, fields: object = {}): object => ({
    id: randomUUID(),
    at,
    type,
    url: `${SHOP}/page`,
    ...fields,
  });
  const page = (url: string, fields: object = {}): object => event('pageview', { url: `${SHOP}${url}`, ...fields });
  const params = {
    email,
    userPhone: phone,
    [email]: 1,
    mark,
    note: text,
    deep: [{ FIO: email, list: [phone, digits] }],
    link: `/?mail=${mail}&q=${number}`,
  };
  return {
    key,
    visitor_id: visitorId,
    sent_at: at,
    device: { screen: phone, window: phone, language: email, timezone: email },
    events: [
      page(`/?mark=${mark}&email=${mail}&q=${mail}&phone=${number}&search=${number}&bare=${digits}&utm_term=${mail}`, {
        referrer: `https://www.bing.com/search?q=${mail}+${number}`,
        title: `Hello ${text}`,
        params,
      }),
      page(`/u/${mail}/${number}/?next=${encodeURIComponent(`/x?email=${mail}&n=${number}`)}#/r?mail=${mail}`, {
        referrer: `https://partner.example/${mail}?tel=${digits}&u=${mail}`,
      }),
      page(`/?utm_source=${mail}&utm_medium=${number}&utm_campaign=${mail}&utm_content=${number}&gclid=${mail}`),
      page(`/last/${email}?${email}`),
      event('event', { name: `signup ${text}`, params }),
      event('goal', { name: 'lead', params }),
      event('form', { name: text }),
      event('click', { x: 1, y: 1, selector: `a[href="mailto:${email}"]`, params }),
      event('outbound', { target: `https://partner.example/?to=${mail}&email=${mail}` }),
      event('outbound', { target: `mailto:${email}` }),
      event('outbound', { target: `tel:${digits}` }),
      event('download', { target: `${SHOP}/${mail}.pdf` }),
      event('user', { user: { params: { ...params, contact: email } } }),
      event('purchase', { order: { ...personalOrder({ email, phone }, `tag ${email}`), promo_code: text } }),
    ],
  };
}

/** Returns an order that both the tag and the API accept. */
export function personalOrder({ email, phone }: Contacts, transactionId: string): object {
  const text = `${email} / ${phone}`;
  const product = { id: email, name: text, category: `${email}/${phone}`, brand: text, variant: text };
  return { transaction_id: transactionId, revenue: 100, products: [{ ...product, price: 100, qty: 1 }] };
}
