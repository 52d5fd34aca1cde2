/**
 * Names of fields with personal data: keys of params and of query strings. The content API refuses other names of
 * attributes (domain/people/refusedAttributes.ts).
 */

const EMAIL = /e?mails?$|email|^(?:pochta|почта)$/;
const WHOSE =
  'user|client|customer|contact|person|personal|buyer|guest|lead|member|owner|sender|recipient|receiver|billing|shipping|delivery|my|your';
const PHONE = new RegExp(
  `^(?:${WHOSE}|home|work|office|mobile|cell|main|primary|second|order|sms)?(?:phones?|tele?phone|tel|telefon|телефон)(?:number|num|no)?$`,
);
const ADDRESS = new RegExp(`^(?:${WHOSE}|home|work)?(?:address(?:es)?|addr|adress?|адрес)(?:line)?$`);
const NAME_QUALIFIER = new RegExp(`^(?:first|last|middle|second|full|given|family|maiden|birth|real|${WHOSE})$`);
/** Beginnings of Russian words for a person, also transliterated; not those of hotels and living rooms. */
const RUSSIAN_PERSON =
  '(?:клиент|пользоват|покупат|заказчик|контакт|получат|отправит|владел|участник|гост(?!ин|ев)|klient|polzovat|pokupat|zakazchik|kontakt|poluchat|otpravit|vladel|uchastnik|gost(?!in|ev))';
const BEFORE_RUSSIAN_NAME = new RegExp(`^(?:${RUSSIAN_PERSON}|ваш|мо[её]$|vash|mo[ey]o?$)`);
/** Not an adjective in -ский, which says what a thing is for. */
const AFTER_RUSSIAN_NAME = new RegExp(`^${RUSSIAN_PERSON}(?!\\p{L}*(?:ск|sk))`, 'u');
const FULL_NAME = new RegExp(
  `^(?:(?:first|last|middle|second|full|given|family|maiden|sur|fore|real|user|client|customer|contact)names?|fio|patronymic|otchestvo|familiya|familia|фамилия|отчество|фио)$`,
);
const IDENTITY_DATA = /^(?:birth.*|dob|bday|passports?|pasport|snils|ssn|паспорт|снилс)$|рождени/;

/** Whole names, whatever separates their words: those that the descriptions of the APIs list. */
export const PERSONAL_KEYS = [
  'email',
  'phone',
  'telephone',
  'tel',
  'msisdn',
  'contact',
  'contacts',
  'name',
  'names',
  'first_name',
  'last_name',
  'middle_name',
  'fio',
  'address',
  'birth_date',
  'date_of_birth',
  'passport',
  'имя',
  'imya',
  'контакт',
  'контакты',
] as const;
const WHOLE: ReadonlySet<string> = new Set(PERSONAL_KEYS.map((key) => key.replace(/_/g, '')));

/** A key without any of these needs no further check; most keys have none. */
const HINT =
  /mail|phone|tel|name|addr|contact|birth|dob|bday|pass|fio|patron|ssn|snils|msisdn|pochta|imya|famil|otche|adres|pasp|[^ -~]/;

/**
 * Returns true when a param of this name would hold personal data. Case and separators do not matter, and a part is
 * enough: `E-Mail`, `user_email`, `billingAddress`, `contact[phone]`. Only names of people count (`name`,
 * `client_name`), not those of things (`product_name`).
 */
export function isPersonalKey(key: string): boolean {
  const lower = key.toLowerCase();
  const folded = HINT.test(lower) ? lower : lower.replace(/[-_. ]+/g, '');
  if (!HINT.test(folded)) return false;
  const normal = key.normalize('NFKC');
  const parts = partsOf(normal);
  return WHOLE.has(parts.join('')) || parts.some((part, at) => isPersonalPart(part, at, parts));
}

/**
 * Returns the words of a key in lower case, without numbers, split at separators and at changes from lower to upper
 * case.
 */
function partsOf(key: string): string[] {
  return key
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter((part) => part !== '');
}

function isPersonalPart(part: string, at: number, parts: readonly string[]): boolean {
  if (EMAIL.test(part) || PHONE.test(part) || ADDRESS.test(part) || FULL_NAME.test(part) || IDENTITY_DATA.test(part))
    return true;
  const isLast = at === parts.length - 1;
  if (isLast && at > 0 && /^contacts?$/.test(part)) return true;
  if (/^(?:имя|imya)$/.test(part)) {
    const before = parts[at - 1] ?? '';
    if (BEFORE_RUSSIAN_NAME.test(before) || AFTER_RUSSIAN_NAME.test(parts[at + 1] ?? '')) return true;
    return isLast && /^(?:полн|poln)/.test(before);
  }
  if (!/^names?$/.test(part)) return false;
  return NAME_QUALIFIER.test(parts[at - 1] ?? '') || /^(?:first|last|middle|full)$/.test(parts[at + 1] ?? '');
}

const ID =
  /(?:id|ids)$|^(?:uuid|guid|sku|ean|gtin|isbn|barcode|vin|inn|ogrn|order|orders|transaction|invoice|article|артикул|заказ|ts|time|timestamp|hash|token|[gw]braid|awc|cjevent|dicbo|epik|hsmi|igsh|tblci)$/;

/**
 * Returns true when a param of this name holds an id, a time or the click id of a link
 * (loops/ingest/sources/lists/clickIds.ts): a bare number in it is not a telephone number.
 */
export function isIdKey(key: string): boolean {
  const parts = partsOf(key);
  return /^utm_/i.test(key) || ID.test(parts[parts.length - 1] ?? '');
}
