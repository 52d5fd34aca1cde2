/**
 * SQL as data, and its rendering to a statement. Dialects are imported separately, because the API reads the registry
 * and needs no engine.
 */
export type { Dialect } from './dialect.ts';
export { composed, decodedUrl } from './percentEncoding.ts';
export { render, type Rendered } from './render.ts';
export {
  call,
  column,
  fill,
  groupByFirst,
  join,
  literal,
  NOTHING,
  open,
  raw,
  relation,
  sql,
  where,
  type ColumnRef,
  type Sql,
  type Value,
} from './sql.ts';
export { columnsIn, isSame, keyOf, references, termsOf } from './namesInSql.ts';
