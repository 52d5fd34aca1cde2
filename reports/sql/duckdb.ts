/** The dialect of DuckDB. */
import { SAMPLED_BUCKETS, VISITOR_BUCKETS } from '../../domain/reports/visitorSample.ts';
import type { Dialect } from './dialect.ts';
import { ENCODED_MARKS, MARKS, UTF8_ESCAPES } from './percentEncoding.ts';

const truncated =
  (unit: string) =>
  (time: string): string =>
    `date_trunc('${unit}', ${time})`;
const formatted =
  (format: string) =>
  (time: string): string =>
    `strftime(${time}, '${format}')`;

/** Returns `name: value` for each name and the value after it. */
const pairs = (namesAndValues: readonly string[]): string[] =>
  namesAndValues.flatMap((name, index) => (index % 2 === 0 ? [`${name}: ${namesAndValues[index + 1]}`] : []));

const ANY_MARKS = `${ENCODED_MARKS}|${MARKS}`;
const composedIf = (text: string, marks: string, value: string): string =>
  `case when regexp_matches(${text}, '${marks}') then nfc_normalize(${value}) else ${value} end`;

/** 16 bytes, like a visitor's id, so that both kinds of persons are compared as such instead of as texts. */
const personOfUser = (userId: string): string => `md5(${userId})::UUID`;
const isPersonInSample = (person: string): string =>
  `('0x' || left(sha256((${person})::VARCHAR), 8))::UINTEGER % ${VISITOR_BUCKETS} < ${SAMPLED_BUCKETS}`;

export const DUCKDB: Dialect = {
  placeholder: (number) => `$${number}`,
  name: (column) => (column === 'at' ? '"at"' : column),
  relation: (name, body, isKept) => `${name} ${isKept ? 'as' : 'as not materialized'} (${body})`,
  functions: {
    text: (value) => `${value}::VARCHAR`,
    twoDigits: (number) => `lpad(${number}::VARCHAR, 2, '0')`,
    integer: (value) => `${value}::INTEGER`,
    integerOrNull: (text) => `try_cast(${text} as INTEGER)`,
    longInteger: (number) => `${number}::BIGINT`,
    rounded: (number) => `round(${number})::BIGINT`,
    double: (number) => `${number}::DOUBLE`,
    percent: (number) => `${number}::DECIMAL(9,6)`,
    money: (number) => `try_cast(${number} as DECIMAL(24,6))`,
    anyTrue: (condition) => `bool_or(${condition})`,

    array: (...items) => `[${items.join(', ')}]`,
    texts: (...items) => `[${items.join(', ')}]::VARCHAR[]`,
    record: (...namesAndValues) => `{${pairs(namesAndValues).join(', ')}}`,
    listOf: (value, order) => `list(${value} order by ${order})`,

    day: (time) => `(${time})::DATE`,
    week: truncated('week'),
    month: truncated('month'),
    quarter: truncated('quarter'),
    hour: truncated('hour'),
    yearNumber: (time) => `year(${time})`,
    hourNumber: (time) => `hour(${time})`,
    weekdayNumber: (time) => `isodow(${time})`,
    dayText: formatted('%Y-%m-%d'),
    // ISO weeks: %G is the year that the week belongs to.
    weekText: formatted('%G-W%V'),
    monthText: formatted('%Y-%m'),
    quarterText: (time) => `strftime(${time}, '%Y') || '-Q' || quarter(${time})`,
    hourText: formatted('%Y-%m-%dT%H:00:00'),
    daysBetween: (from, to) => `date_diff('day', ${from}, ${to})`,
    microsecondsBetween: (from, to) => `date_diff('microsecond', ${from}, ${to})`,
    moment: (text) => `TIMESTAMP ${text}`,
    seconds: (number) => `INTERVAL (${number}) SECOND`,

    jsonText: (json, pointer) => `json_extract_string(${json}, ${pointer})`,
    firstMatch: (text, pattern) => `regexp_extract(${text}, ${pattern})`,
    replaceMatch: (text, pattern, by) => `regexp_replace(${text}, ${pattern}, ${by})`,
    matches: (text, pattern) => `regexp_matches(${text}, ${pattern})`,
    contains: (text, part) => `contains(lower(${text}), lower(${part}))`,
    hash: (text) => `hash(${text})`,
    splitPart: (text, separator, number) => `split_part(${text}, ${separator}, ${number})`,
    // Most addresses have nothing to decode. url_decode throws for bytes that are not UTF-8, and catching that with
    // `try` costs more than all of this. The percent signs of such bytes are therefore encoded first; a temporary mark
    // distinguishes them from those of UTF-8.
    // ASCII has no marks, and is recognised by its length: a million addresses take 0.3 s in this way, and 0.6 s if marks
    // are looked for in all of them.
    decodedUrl: (text) => `case when not contains(${text}, '%') and strlen(${text}) = length(${text}) then ${text}
      when not contains(${text}, '%') then ${composedIf(text, MARKS, text)}
      when regexp_full_match(${text}, '(?s)(?:[^%]|${UTF8_ESCAPES})*') then ${composedIf(text, ANY_MARKS, `url_decode(${text})`)}
      else ${composedIf(text, ANY_MARKS, `url_decode(replace(regexp_replace(regexp_replace(${text}, '(${UTF8_ESCAPES})|%', '\\1\x01', 'g'), '(${UTF8_ESCAPES})\x01', '\\1', 'g'), '\x01', '%25'))`)} end`,

    atVersion: (table, version) => `${table} at (version => ${version})`,
    personOfUser,
    isBucketInSample: (bucket) => `${bucket} < ${SAMPLED_BUCKETS}`,
    isPersonInSample,
    isUserInSample: (userId) => isPersonInSample(personOfUser(userId)),
  },
};
