/**
 * SQL as data: a list of tokens that shows which columns and relations it names, so that nobody has to search the
 * finished text for them. `Sql<T>` may hold terms of type T, which are replaced by SQL depending on the place of the
 * expression. A plain `Sql` has no terms left and can be rendered.
 */
import type { Functions } from './dialect.ts';
import { quotedText } from './quotedText.ts';

/** A bound value, passed to the engine separately from the statement, never in its text. */
export type Value = string | number;

/** A column as a statement names it. */
export interface ColumnRef {
  readonly kind: 'column';
  /** The alias of the relation that has the column; null if the column's name is enough. */
  readonly of: string | null;
  readonly name: string;
  /** The table of the lake that has the column; null for a column that the statement defines. */
  readonly table: string | null;
}

/** A relation that a statement defines in `with`. It is defined if something names it. */
export interface Relation {
  readonly kind: 'relation';
  readonly name: string;
  readonly body: Sql;
  /** Whether the engine may keep its rows; rows of the lake are cheaper to read again each time. */
  readonly isMaterialised: boolean;
}

/** A call of a function that each engine spells in its own way. */
export interface Call<T> {
  readonly kind: 'call';
  readonly name: keyof Functions;
  readonly args: readonly Sql<T>[];
}

export interface Bound {
  readonly kind: 'bound';
  readonly value: Value;
}

export interface TermToken<T> {
  readonly kind: 'term';
  readonly term: T;
}

/** A string is literal SQL. */
export type Token<T> = string | Bound | ColumnRef | Relation | Call<T> | TermToken<T>;

export interface Sql<T = never> {
  readonly tokens: readonly Token<T>[];
}

export type Piece = Value | Sql<unknown>;

/** The terms that a piece holds. */
type TermOf<P> = P extends Sql<infer T> ? T : never;

/**
 * Builds SQL from a template, such as `sql\`${v.country} = ${code}\``. SQL between the texts is spliced in; strings and
 * numbers are bound. A string that belongs in the statement itself goes through {@link raw} or {@link literal}.
 */
export function sql<P extends readonly Piece[]>(strings: TemplateStringsArray, ...pieces: P): Sql<TermOf<P[number]>> {
  const tokens: Token<unknown>[] = [];
  for (const [index, text] of strings.entries()) {
    append(tokens, text);
    const piece = pieces[index];
    if (typeof piece === 'object') for (const token of piece.tokens) append(tokens, token);
    else if (piece !== undefined) tokens.push({ kind: 'bound', value: piece });
  }
  return { tokens: tokens as Token<TermOf<P[number]>>[] };
}

/** Merges neighbouring texts, so that equal SQL has equal tokens. */
function append<T>(tokens: Token<T>[], token: Token<T>): void {
  const last = tokens.at(-1);
  if (typeof token === 'string' && typeof last === 'string') tokens[tokens.length - 1] = last + token;
  else if (token !== '') tokens.push(token);
}

/** Returns SQL from a text; never pass a text from a request. */
export const raw = (text: string): Sql => ({ tokens: [text] });

/** Returns a quoted text literal. */
export const literal = (text: string): Sql => raw(quotedText(text));

export const NOTHING: Sql = { tokens: [] };

export function join<T = never>(pieces: readonly Sql<T>[], separator = ', '): Sql<T> {
  const tokens: Token<T>[] = [];
  for (const [index, piece] of pieces.entries()) {
    if (index > 0) append(tokens, separator);
    for (const token of piece.tokens) append(tokens, token);
  }
  return { tokens };
}

/** Returns ` where a and b`, or nothing without conditions. */
export const where = <T = never>(conditions: readonly Sql<T>[]): Sql<T> =>
  conditions.length === 0 ? NOTHING : (sql` where ${join(conditions, ' and ')}` as Sql<T>);

/**
 * Returns ` group by 1, 2`: the first columns of a select, or nothing for none. Positions are used because DuckDB
 * treats two expressions with bound values as different.
 */
export const groupByFirst = (columns: number): Sql =>
  columns === 0 ? NOTHING : raw(` group by ${Array.from({ length: columns }, (_, index) => index + 1).join(', ')}`);

/**
 * Returns a column by its name, such as `attribute0.value`.
 * @param of the alias of its relation
 * @param table the table of the lake that has it
 */
export const column = (of: string | null, name: string, table: string | null = null): Sql => ({
  tokens: [{ kind: 'column', of, name, table }],
});

export const relation = (name: string, body: Sql, { isMaterialised = true } = {}): Sql => ({
  tokens: [{ kind: 'relation', name, body, isMaterialised }],
});

/** As many pieces of SQL as a function has parameters. */
type Args<P extends readonly unknown[]> = { readonly [K in keyof P]: Sql<unknown> };

/**
 * Calls a function of the dialect.
 * @param name of the dialect's function (dialect.ts)
 */
export function call<N extends keyof Functions, A extends Args<Parameters<Functions[N]>>>(
  name: N,
  ...args: A
): Sql<TermOf<A[number]>> {
  return { tokens: [{ kind: 'call', name, args: args as readonly Sql<TermOf<A[number]>>[] }] };
}

/** Returns a term; {@link fill} replaces it. */
export const open = <T>(term: T): Sql<T> => ({ tokens: [{ kind: 'term', term }] });

/** Returns the same SQL with each of its terms replaced. */
export function fill<T, U = never>(expression: Sql<T>, by: (term: T) => Sql<U>): Sql<U> {
  const tokens: Token<U>[] = [];
  for (const token of expression.tokens) {
    if (typeof token === 'string') append(tokens, token);
    else if (token.kind === 'term') for (const filled of by(token.term).tokens) append(tokens, filled);
    else tokens.push(token.kind === 'call' ? { ...token, args: token.args.map((arg) => fill(arg, by)) } : token);
  }
  return { tokens };
}
