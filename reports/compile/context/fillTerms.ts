/** Replaces the terms in expressions of the registry (registry/entry/terms.ts) by SQL. */
import { COLUMNS, type Expression } from '../../registry/index.ts';
import { call, fill, join, raw, sql, type Sql } from '../../sql/index.ts';
import type { Compilation } from './compileContext.ts';
import { localTime } from './period.ts';

/** The attribute value of the row's person, and its source. */
export interface AttributeColumns {
  value: Sql;
  source: Sql;
}

/** The terms that differ from one context to another. An expression may not use a term that is not given. */
export interface TermContext {
  rowTime?: Sql;
  attribute?: AttributeColumns;
  person?: Sql;
  hasConversion?: (goal: string) => Sql;
  hasPurchase?: Sql;
}

export function filled(compilation: Compilation, expression: Expression, context: TermContext = {}): Sql {
  return fill(expression, (term): Sql => {
    switch (term.name) {
      case 'local':
        return localTime(term.utc, compilation.period.zone);
      case 'source':
        return sql`${COLUMNS.visit[`source_${compilation.request.attribution}`]}.${raw(term.field)}`;
      case 'money':
        return money(compilation, term.amount, term.currency);
      case 'attribute':
        return given('attribute', context.attribute)[term.field];
      case 'hasConversion':
        return given('hasConversion', context.hasConversion)(term.goal);
      default:
        return given(term.name, context[term.name]);
    }
  });
}

/**
 * Converts an amount to the site's currency by its rate, to six places; an amount in the site's own currency stays
 * exact.
 */
function money({ context: { site } }: Compilation, amount: Sql, currency: Sql): Sql {
  const others = Object.entries(site.rates)
    .filter(([other]) => other !== site.currency)
    .map(([other, rate]) => {
      const converted = sql`${call('double', sql`(${amount})`)} * ${call('double', sql`${rate}`)}`;
      return sql`when ${other} then ${call('money', sql`round(${converted}, 6)`)}`;
    });
  return sql`case ${currency} when ${site.currency} then ${call('money', amount)} ${join(others, ' ')} end`;
}

function given<T>(name: string, value: T | undefined): T {
  if (value === undefined) throw new Error(`${name} is requested but was not given`);
  return value;
}
