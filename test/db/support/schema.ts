/** The schema of a database, read from PostgreSQL's catalogue, and which changes of it are more than additions. */
import type { Queryable } from '../../../db/pool.ts';

interface SchemaObject {
  kind: 'relation' | 'column' | 'constraint' | 'index' | 'trigger' | 'function' | 'type';
  name: string;
  /** The table that it belongs to; null for functions and types. */
  table: string | null;
  /** Differs when an object of the same name was recreated. */
  identity: string;
  /** The type of a column. */
  type: string | null;
  /** Whether a column forbids null. */
  isRequired: boolean;
  /** Whether a column has a default, is generated or is an identity column. */
  isFilled: boolean;
  /** Whether an index or constraint forbids duplicates. */
  isUnique: boolean;
  /** The columns of a constraint. */
  columns: string[];
}

/** The objects by kind and name. */
export type Schema = ReadonlyMap<string, SchemaObject>;

/** An index that belongs to a constraint is left out. */
const OBJECTS = `
  select 'relation' as kind, c.relname as name, c.relname as "table", c.oid::text as identity, null as type,
         false as "isRequired", false as "isFilled", false as "isUnique", array[]::text[] as columns
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'S')
  union all
  select 'column', c.relname || '.' || a.attname, c.relname, a.attrelid || '.' || a.attnum, format_type(a.atttypid, a.atttypmod),
         a.attnotnull, a.atthasdef or a.attidentity <> '', false, array[]::text[]
    from pg_attribute a join pg_class c on c.oid = a.attrelid
   where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped
  union all
  select 'constraint', c.relname || '.' || o.conname, c.relname, o.oid::text, null, false, false, o.contype in ('p', 'u', 'x'),
         array(select c.relname || '.' || a.attname from pg_attribute a where a.attrelid = o.conrelid and a.attnum = any(o.conkey))
    from pg_constraint o join pg_class c on c.oid = o.conrelid
   where o.connamespace = 'public'::regnamespace and o.contype <> 'n'
  union all
  select 'index', i.indexrelid::regclass::text, c.relname, i.indexrelid::text, null, false, false, i.indisunique, array[]::text[]
    from pg_index i join pg_class c on c.oid = i.indrelid
   where c.relnamespace = 'public'::regnamespace and not exists (select from pg_constraint o where o.conindid = i.indexrelid and o.contype in ('p', 'u', 'x'))
  union all
  select 'trigger', c.relname || '.' || t.tgname, c.relname, t.oid::text, null, false, false, false, array[]::text[]
    from pg_trigger t join pg_class c on c.oid = t.tgrelid
   where c.relnamespace = 'public'::regnamespace and not t.tgisinternal
  union all
  select 'function', p.oid::regprocedure::text, null, p.oid::text, null, false, false, false, array[]::text[]
    from pg_proc p where p.pronamespace = 'public'::regnamespace
  union all
  select 'type', t.typname, null, t.oid::text, null, false, false, false, array[]::text[]
    from pg_type t where t.typnamespace = 'public'::regnamespace and t.typtype in ('e', 'd')`;

const keyOf = ({ kind, name }: SchemaObject): string => `${kind} ${name}`;

/** Reads the schema `public`. */
export async function readSchema(db: Queryable): Promise<Schema> {
  const { rows } = await db.query<SchemaObject>(OBJECTS);
  return new Map(rows.map((row) => [keyOf(row), row]));
}

export interface IndexBuilding {
  /** Whether the change builds its index without stopping writes. */
  buildsOpenly: boolean;
  /** Tables whose indexes are built in no time. */
  smallTables: ReadonlySet<string>;
}

/**
 * Returns the changes between two schemas that are more than additions to a base.
 * @param base the schema of the previous release; what came later may be changed freely
 */
export function changesBeyondAdditions(base: Schema, before: Schema, after: Schema, building: IndexBuilding): string[] {
  const isInBase = ({ table }: SchemaObject): boolean => table !== null && base.has(`relation ${table}`);
  const kept = [...before].filter(([key, { kind }]) => base.has(key) && kind !== 'constraint');
  const added = [...after].filter(([key, now]) => isAdded(now, before.get(key), base.has(key)));
  return [
    ...kept.flatMap(([key, old]) => changesOf(old, after.get(key)).map((change) => `${change} ${key}`)),
    ...added.flatMap(([key, object]) =>
      isInBase(object) ? demandsOf(object, base, building).map((demand) => `${demand} ${key}`) : [],
    ),
  ];
}

/** A later file may tighten a column that an earlier one added. */
function isAdded(now: SchemaObject, old: SchemaObject | undefined, isKnown: boolean): boolean {
  if (now.identity !== old?.identity) return true;
  return !isKnown && (now.isRequired !== old.isRequired || now.isFilled !== old.isFilled);
}

function changesOf(old: SchemaObject, now: SchemaObject | undefined): string[] {
  if (now?.identity !== old.identity) return ['drops'];
  return [
    ...(now.type === old.type ? [] : ['changes the type of']),
    ...(now.isRequired && !old.isRequired ? ['forbids null in'] : []),
    ...(old.isFilled && !now.isFilled ? ['takes the default away from'] : []),
  ];
}

/** Returns what a new object demands of writers that do not know it. */
function demandsOf(
  { kind, table, isRequired, isFilled, isUnique, columns }: SchemaObject,
  base: Schema,
  { buildsOpenly, smallTables }: IndexBuilding,
): string[] {
  if (kind === 'column' && isRequired && !isFilled) return ['adds, without a default,'];
  const stopsWrites = kind === 'index' && !buildsOpenly && !smallTables.has(table ?? '');
  const isAboutBase = kind === 'constraint' && columns.some((column) => base.has(`column ${column}`));
  return [
    // Rows that do not name a new column share its default.
    ...(isUnique ? ['forbids duplicates by'] : []),
    ...(isAboutBase && !isUnique ? ['adds'] : []),
    ...(stopsWrites ? ['stops writes while it builds'] : []),
  ];
}
