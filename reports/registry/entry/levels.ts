/** The kinds of rows that a report can read. */

/** The kinds of rows. A person is the user that a visitor is linked to, or else the visitor. */
export type Level = 'visit' | 'hit' | 'goal' | 'order' | 'product' | 'person';

/** The rows that an aggregate reads. People are counted by their visits. */
export type RowLevel = Exclude<Level, 'person'>;

/** The first or the last page view of a visit. */
export type End = 'entry' | 'exit';
