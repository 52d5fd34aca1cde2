import { describe, expect, it } from '@jest/globals';
import { CLICK_IDS } from '../../../loops/ingest/sources/lists/clickIds.ts';
import { isIdKey, isPersonalKey } from '../../../domain/privacy/personalKeys.ts';

const PERSONAL = [
  'email', 'Email', 'E-MAIL', 'e_mail', 'e.mail', 'e mail', 'emails', 'user_email', 'userEmail', 'useremail', 'USER-EMAIL', 'email2', 'email_address', 'contact[email]', 'mail', 'your-email',
  'phone', 'Phone', 'phones', 'phone_number', 'phoneNumber', 'user.phone', 'userphone', 'mobilePhone', 'telephone', 'tel', 'TEL', 'your-tel', 'client_tel', 'contact-phone', 'phone1',
  'name', 'Name', 'first_name', 'firstName', 'FIRST NAME', 'first.name', 'firstname', 'last-name', 'lastname', 'middle_name', 'surname', 'full_name', 'user_name', 'username', 'client_name', 'name_first', 'fio', 'FIO', 'f.i.o', 'your-name',
  'address', 'Address', 'billing_address', 'billingAddress', 'address1', 'address_line_2', 'deliveryaddress', 'ip_address', 'adres', 'adress', 'adress_dostavki',
  'birth_date', 'birthdate', 'birthDate', 'birthday', 'date_of_birth', 'dateOfBirth', 'dob',
  'passport', 'passport_number', 'passports', 'snils', 'contact', 'contacts', 'user_contact',
  'телефон', 'Почта', 'имя', 'Фамилия', 'ФИО', 'адрес', 'паспорт', 'дата_рождения', 'ｅｍａｉｌ',
  'имя_клиента', 'Имя покупателя', 'имяПользователя', 'клиент_имя', 'контактное_имя', 'полное_имя', 'imya_klienta', 'ваше_имя', 'vashe_imya', 'imya-poluchatelya',
]; // prettier-ignore

const OTHERS = [
  'gclid', 'yclid', 'fbclid', 'msclkid', 'mc_eid', '_hsmi', 'li_fat_id', 'epik', 'rb_clickid', 'utm_source', 'utm_medium', 'utm_campaign', 'utm_content', 'utm_term', 'utm_name', 'admitad_uid',
  'product_name', 'productName', 'item_name', 'campaign_name', 'event_name', 'filename', 'file-name', 'company_name', 'hostname', 'blast_name', 'plan', 'page', 'q', 'search', 'id', 'order_id',
  'transaction_id', 'price', 'value', 'date', 'hotel', 'hotel_id', 'telegram', 'headphones', 'smartphone', 'iphone', 'microphones', 'compass', 'passengers', 'password_reset', 'contact_form', 'contact_type', 'biofior',
  'rename', 'tournament', 'city', 'section', 'category', 'variant', 'title', 'рождественская', 'цена', 'товар', 'имя_файла', 'имя_гостиницы', 'imya_gostinitsy', 'полное_имя_файла', 'имя_пользовательского_события', 'имя_товара', 'имя_кампании', 'imya_fayla', 'клиент', 'тип_клиента', '', '__proto__', 'constructor', '1', '_',
]; // prettier-ignore

describe('a key of personal data', () => {
  // proves: decisions-privacy/keys-folded
  it.each(PERSONAL)('is found in upper or lower case, with any separators, and as a part: %s', (key) => {
    expect(isPersonalKey(key)).toBe(true);
  });

  it.each(OTHERS)('is not found in keys that only look like one: %s', (key) => {
    expect(isPersonalKey(key)).toBe(false);
  });
});

it.each([...CLICK_IDS.keys()])('the click id %s is not a key of personal data', (key) => {
  expect(isPersonalKey(key)).toBe(false);
  expect(isIdKey(key)).toBe(true);
});

it('the keys of ids, times and click ids are recognised', () => {
  expect(
    ['id', 'order_id', 'orderId', 'gclid', 'yclid', 'utm_content', 'UTM_TERM', 'sku', 'ts', 'uuid'].every(isIdKey),
  ).toBe(true);
  expect(['q', 'text', 'comment', 'results', 'to', ''].some(isIdKey)).toBe(false);
});
