/** Finds out what a piece of SQL names. */
import type { ColumnRef, Relation, Sql, Token } from './sql.ts';

type Named<T> = Exclude<Token<T>, string>;

/** Visits all tokens except text, including those in arguments of calls, but not the definitions of relations. */
function eachToken<T>({ tokens }: Sql<T>, see: (token: Named<T>) => void): void {
  for (const token of tokens) {
    if (typeof token === 'string') continue;
    see(token);
    if (token.kind === 'call') for (const arg of token.args) eachToken(arg, see);
  }
}

/** Returns the terms of an expression in their order. */
export function termsOf<T>(expression: Sql<T>): T[] {
  const found: T[] = [];
  eachToken(expression, (token) => {
    if (token.kind === 'term') found.push(token.term);
  });
  return found;
}

/** Returns the columns that a piece names itself, without those in the definitions of relations. */
export function columnsIn(expression: Sql<unknown>): ColumnRef[] {
  const found: ColumnRef[] = [];
  eachToken(expression, (token) => {
    if (token.kind === 'column') found.push(token);
  });
  return found;
}

/**
 * Returns whether a piece names a column of a relation.
 * @param of the alias of the relation
 */
export const references = (expression: Sql<unknown>, of: string): boolean =>
  columnsIn(expression).some((column) => column.of === of);

/**
 * Returns the relations that a statement needs, each after those that its definition names. A name is defined once.
 * @throws if two different relations have one name
 */
export function relationsOf(statement: Sql): Relation[] {
  const found = new Map<string, Relation>();
  const add = (token: Named<never>): void => {
    if (token.kind !== 'relation') return;
    const known = found.get(token.name);
    if (known !== undefined) {
      if (!isSameRelation(known, token)) throw new Error(`two relations are called ${token.name}`);
      return;
    }
    eachToken(token.body, add);
    found.set(token.name, token);
  };
  eachToken(statement, add);
  return [...found.values()];
}

const isSameRelation = (one: Relation, other: Relation): boolean =>
  one === other || (one.isMaterialised === other.isMaterialised && isSame(one.body, other.body));

/** Returns whether two pieces are the same SQL. */
export const isSame = (one: Sql<unknown>, other: Sql<unknown>): boolean => keyOf(one) === keyOf(other);

/** Returns a text that is equal for the same SQL. */
export const keyOf = (expression: Sql<unknown>): string => JSON.stringify(expression.tokens);
