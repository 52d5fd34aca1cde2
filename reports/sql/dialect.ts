/**
 * The differences between engines. Expressions of the registry use only SQL that all engines read alike (comparisons,
 * `case`, `coalesce`, `nullif`, `least`, `round`, sums, counts, `filter (where …)`) and call the rest by a name of this
 * list.
 */

/** Each function takes its arguments as text and returns text. Null yields null unless stated otherwise. */
export interface Functions {
  /** Converts to text. */
  text(value: string): string;
  /** Converts a number of few digits to text, such as `07`. */
  twoDigits(number: string): string;
  /** Converts a boolean or a number to an integer. */
  integer(value: string): string;
  /** Converts a text to an integer; null if it is not one. */
  integerOrNull(text: string): string;
  /** Converts a whole number to an integer of 64 bits. */
  longInteger(number: string): string;
  /** Rounds to an integer of 64 bits. */
  rounded(number: string): string;
  /** Converts to a floating-point number of 64 bits. */
  double(number: string): string;
  /** Converts to an exact percentage with six places. */
  percent(number: string): string;
  /** Converts to an exact amount with six places; null if it is too large. */
  money(number: string): string;
  /** An aggregate: whether any row's condition is true. */
  anyTrue(condition: string): string;

  /** Returns an array; `texts` is one of texts, which may be empty. */
  array(...items: string[]): string;
  texts(...items: string[]): string;
  /** Returns a record of fields: the name of the first one, its value, the name of the second one, … */
  record(...namesAndValues: string[]): string;
  /** An aggregate: an array of the rows' values in an order; null without rows. */
  listOf(value: string, order: string): string;

  /** Returns the day, the start of the week (Monday), … of a time. */
  day(time: string): string;
  week(time: string): string;
  month(time: string): string;
  quarter(time: string): string;
  hour(time: string): string;
  /** Return numbers: the year, 0 to 23, 1 (Monday) to 7. */
  yearNumber(time: string): string;
  hourNumber(time: string): string;
  weekdayNumber(time: string): string;
  /** Return `2026-03-01`, `2026-W09`, `2026-03`, `2026-Q1`, `2026-03-01T07:00:00`. */
  dayText(time: string): string;
  weekText(time: string): string;
  monthText(time: string): string;
  quarterText(time: string): string;
  hourText(time: string): string;
  /** Counts the boundaries of days between two times. */
  daysBetween(from: string, to: string): string;
  microsecondsBetween(from: string, to: string): string;
  /** Returns a time from the literal `'2026-03-01 07:00:00.000'`. */
  moment(text: string): string;
  /** Returns an interval that can be added to a time. */
  seconds(number: string): string;

  /**
   * Returns the text at a JSON pointer of a JSON text, without quotes; null for JSON's null and for a missing value.
   */
  jsonText(json: string, pointer: string): string;
  /** Returns the first match of a pattern; empty without a match. */
  firstMatch(text: string, pattern: string): string;
  /** Replaces the first match of a pattern. */
  replaceMatch(text: string, pattern: string, by: string): string;
  /** Returns whether a pattern matches part of the text. */
  matches(text: string, pattern: string): string;
  /** Returns whether a text contains another, ignoring case. */
  contains(text: string, part: string): string;
  /** Returns a short value that is equal for equal texts, by which rows are grouped faster. */
  hash(text: string): string;
  /** Returns a part of a text by its number, from 1; empty if there are fewer. */
  splitPart(text: string, separator: string, number: string): string;
  /**
   * Removes percent-encoding from an address, except for bytes that are not UTF-8, and composes letters and their marks
   * (percentEncoding.ts).
   */
  decodedUrl(text: string): string;

  /** Returns a table of the lake at a version. */
  atVersion(table: string, version: string): string;
  /** Returns the UUID of a user's person. */
  personOfUser(userId: string): string;
  /**
   * Returns whether a row is sampled, by the column of its visitor's bucket (domain/reports/visitorSample.ts). The
   * quota keeps visitors by the bucket's last digit, so the two are independent.
   */
  isBucketInSample(bucket: string): string;
  /** Return whether a person is sampled, by its UUID, and whether a user is; null if there is no user. */
  isPersonInSample(person: string): string;
  isUserInSample(userId: string): string;
}

export interface Dialect {
  /** @param number from 1 */
  placeholder(number: number): string;
  /** Quotes a column's name if it is a keyword of the engine. */
  name(column: string): string;
  /**
   * Defines a relation in `with`.
   * @param isKept whether the engine may keep its rows
   */
  relation(name: string, body: string, isKept: boolean): string;
  functions: Functions;
}
