/** Renders SQL as the text of a statement for one engine. */
import type { Dialect } from './dialect.ts';
import type { ColumnRef, Sql, Token, Value } from './sql.ts';
import { columnsIn, relationsOf } from './namesInSql.ts';

export interface Rendered {
  text: string;
  /** In the order of their placeholders. A value has one placeholder, however often it is used. */
  params: Value[];
  /** All columns that the statement names, including the definitions of its relations. */
  refs: ColumnRef[];
}

/**
 * Renders a statement.
 * @param body the statement without `with`; the relations that it names are defined before it
 */
export function render(body: Sql, dialect: Dialect): Rendered {
  const relations = relationsOf(body);
  const params = new Map<Value, string>();
  const text = ({ tokens }: Sql): string => tokens.map(tokenText).join('');
  const tokenText = (token: Token<never>): string => {
    if (typeof token === 'string') return token;
    switch (token.kind) {
      case 'bound':
        return placeholder(token.value);
      case 'column':
        return `${token.of === null ? '' : `${token.of}.`}${dialect.name(token.name)}`;
      case 'relation':
        return token.name;
      case 'call':
        return (dialect.functions[token.name] as (...args: string[]) => string)(...token.args.map(text));
      case 'term':
        throw new Error('a term has not been filled in');
    }
  };
  const placeholder = (value: Value): string => {
    const known = params.get(value) ?? dialect.placeholder(params.size + 1);
    params.set(value, known);
    return known;
  };
  const before = relations.map(({ name, body: made, isMaterialised }) =>
    dialect.relation(name, text(made), isMaterialised),
  );
  return {
    text: `${before.length === 0 ? '' : `with ${before.join(',\n')}\n`}${text(body)}`,
    params: [...params.keys()],
    refs: [body, ...relations.map((relation) => relation.body)].flatMap(columnsIn),
  };
}
