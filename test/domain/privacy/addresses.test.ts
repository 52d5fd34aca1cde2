import { describe, expect, it } from '@jest/globals';
import { withoutPersonalAddress } from '../../../domain/privacy/addresses.ts';

const SHOP = 'https://shop.example/thanks';

describe('an address without personal data', () => {
  it.each([
    SHOP,
    'https://shop.example/',
    `${SHOP}?`,
    `${SHOP}?#`,
    `${SHOP}?utm_source=yandex&utm_medium=cpc&utm_campaign=rsy|12345678&utm_content=gid|5012345678|aid|79165557301&utm_term=%D0%BA%D1%83%D0%BF%D0%B8%D1%82%D1%8C+%D0%BA%D1%80%D0%B0%D0%BD`,
    `${SHOP}?gclid=Cj0KCQiA_79165557301_wcB&yclid=12345678901234567890&fbclid=IwAR0-x_y&_hsmi=79165557301&msclkid=0a1b2c3d4e5f60718293a4b5c6d7e8f9`,
    `${SHOP}?order_id=79165557301&id=89165557301&ts=1732312345678&price=1990.50&date=2026-11-20&from=20.11.2026&page=2&sort=-price`,
    `${SHOP}?q=a%20b&q=a+b&empty=&flag&x=%E0%E1%F2&broken=%zz&b64=YW5uYQ==&list[]=1&list[]=2`,
    `${SHOP}?product_name=Kettle&campaign_name=autumn&next=%2Fcart%3Fid%3D5%26n%3D2`,
    'https://shop.example/catalogue/12345678901/1732312345?a=1#/cart?step=2',
    'https://shop.example/#reviews',
    'https://www.google.com/maps/@55.751244,37.618423,15z',
    'https://medium.com/@anna/how-to',
    `${SHOP}?next=https://medium.com/@anna/how-to`,
    'https://cdn.example/logo@2x.png',
    'https://8-800-555-35-35.example/',
    'https://пример.рф/каталог?цена=100',
    'android-app://com.google.android.gm/',
    'file:///home/x/page.html',
    'not an address',
    '',
  ])('stays byte for byte: %s', (address) => expect(withoutPersonalAddress(address)).toBe(address));
});

describe('an address with personal data', () => {
  it.each([
    [`${SHOP}?email=anna@x.ru`, SHOP],
    [`${SHOP}?email=anna%40x.ru&id=7`, `${SHOP}?id=7`],
    [`${SHOP}?id=7&User-Email=x&n=1`, `${SHOP}?id=7&n=1`],
    [`${SHOP}?%65mail=x&id=7`, `${SHOP}?id=7`],
    [`${SHOP}?%2565mail=x&id=7`, `${SHOP}?id=7`],
    [`${SHOP}?form%5Bphone%5D=1&id=7`, `${SHOP}?id=7`],
    [`${SHOP}?name=Anna#top`, `${SHOP}#top`],
    [`${SHOP}?q=anna@x.ru`, `${SHOP}?q=[email]`],
    [`${SHOP}?q=anna%40x.ru`, `${SHOP}?q=[email]`],
    [`${SHOP}?q=anna%2540x.ru`, `${SHOP}?q=[email]`],
    [`${SHOP}?q=%61nna%40x%2Eru`, `${SHOP}?q=[email]`],
    [`${SHOP}?q=anna+shop@x.ru`, `${SHOP}?q=[email]`],
    [`${SHOP}?q=%D0%B0%D0%BD%D0%BD%D0%B0%40%D0%BF%D0%BE%D1%87%D1%82%D0%B0.%D1%80%D1%84`, `${SHOP}?q=[email]`],
    [`${SHOP}?utm_term=anna%40x.ru&utm_source=letter`, `${SHOP}?utm_term=[email]&utm_source=letter`],
    [`${SHOP}?q=%2B7+916+555-73-01`, `${SHOP}?q=[phone]`],
    [`${SHOP}?q=+79165557301`, `${SHOP}?q=[phone]`],
    [`${SHOP}?q=8+(916)+555-73-01`, `${SHOP}?q=[phone]`],
    [`${SHOP}?q=8%20%28916%29%20555-73-01&id=1`, `${SHOP}?q=[phone]&id=1`],
    [`${SHOP}?q=call+89165557301`, `${SHOP}?q=call%20[phone]`],
    [`${SHOP}?anna@x.ru`, `${SHOP}?[email]`],
    [`${SHOP}?anna%40x.ru=1&b=2`, `${SHOP}?b=2`],
    [`${SHOP}?next=%2Fconfirm%3Femail%3Danna%2540x.ru%26id%3D7`, `${SHOP}?next=%2Fconfirm%3Fid%3D7`],
    [`${SHOP}?next=%2Fconfirm%3Fname%3DAnna`, `${SHOP}?next=%2Fconfirm`],
    [`${SHOP}?state=name%3DAnna%26id%3D7`, `${SHOP}?state=id%3D7`],
    [`${SHOP}#/cart?email=a&id=1`, `${SHOP}#/cart?id=1`],
    [`${SHOP}#email=anna@x.ru&token=1`, `${SHOP}#token=1`],
    ['https://shop.example/u/anna@x.ru/orders', 'https://shop.example/u/[email]/orders'],
    ['https://shop.example/u/anna%40x.ru', 'https://shop.example/u/[email]'],
    ['https://shop.example/u/+79165557301/', 'https://shop.example/u/[phone]/'],
    ['https://shop.example/u/%2B79165557301', 'https://shop.example/u/[phone]'],
    ['https://shop.example/u/8\u2011916\u2011555\u201173\u201101/', 'https://shop.example/u/[phone]/'],
    [`${SHOP}?q=8\u202f916\u202f555\u202f73\u202f01&n=1`, `${SHOP}?q=[phone]&n=1`],
    ['https://anna:secret@shop.example/x', 'https://shop.example/x'],
    ['//anna:secret@shop/x', '//shop/x'],
    [`${SHOP}?next=https://anna:secret@shop/x`, `${SHOP}?next=https:%2F%2Fshop%2Fx`],
    [`${SHOP}?next=//anna:secret@shop/x&id=7`, `${SHOP}?next=%2F%2Fshop%2Fx&id=7`],
    [`${SHOP}?next=https%3A%2F%2Fanna%3Asecret%40shop%2Fx`, `${SHOP}?next=https:%2F%2Fshop%2Fx`],
    [`${SHOP}?next=https%253A%252F%252Fanna%253Asecret%2540shop.ru%252Fx`, `${SHOP}?next=https:%2F%2Fshop.ru%2Fx`],
    [`${SHOP}?next=https://anna:secret@shop/x=1`, `${SHOP}?next=https:%2F%2Fshop%2Fx%3D1`],
    [`${SHOP}?https://anna:secret@shop/x`, `${SHOP}?https:%2F%2Fshop%2Fx`],
    ['https://anna@x.ru:secret@shop.example/x?a=1', 'https://shop.example/x?a=1'],
    ['mailto:anna@x.ru?subject=Hi', 'mailto:[email]?subject=Hi'],
    ['tel:5550199', 'tel:[phone]'],
    ['not an address of anna@x.ru', 'not%20an%20address%20of%20[email]'],
  ])('loses it: %s', (address, expected) => {
    expect(withoutPersonalAddress(address)).toBe(expected);
    expect(withoutPersonalAddress(expected)).toBe(expected);
  });
});
