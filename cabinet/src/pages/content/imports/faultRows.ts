/** The errors of an import as rows of a table, one for each field. */
import type { OtherField } from '../../../data/itemFields.ts';
import type { ImportLineError } from '../../../data/items/imports.ts';
import type { Words } from '../../../words/en/index.ts';

export interface FaultRow {
  key: string;
  line: number;
  item: string | null;
  /** Null if the whole line is invalid. */
  field: string | null;
  reason: string;
}

/** Faults for which the field explains better than the code what to write instead. */
const WRONG_FORM: ReadonlySet<string> = new Set(['invalid_type', 'invalid_datetime']);

type Detail = ImportLineError['details'][number];

export function faultRows(errors: readonly ImportLineError[], words: Words): FaultRow[] {
  return errors.flatMap(({ line, id, code, details }) => {
    const row = { line, item: id };
    if (details.length === 0)
      return [{ ...row, key: String(line), field: null, reason: words.imports.lineFaults[code] ?? code }];
    return details.map((detail, index) => ({
      ...row,
      key: `${line}/${index}`,
      field: detail.field === '' ? null : detail.field,
      reason: reasonOf(detail, code, words),
    }));
  });
}

/** Returns the reason. A fault of the header names its column; the others are worded as elsewhere. */
function reasonOf({ field, code, limit, allowed }: Detail, of: string, { imports, fieldErrors }: Words): string {
  if (allowed !== undefined && allowed.length > 0) return imports.allowed(allowed.join(', '));
  if (limit !== undefined) return imports.limit(String(limit));
  const byField: Readonly<Record<string, string>> = imports.wanted satisfies Readonly<Record<OtherField, string>>;
  const wanted = WRONG_FORM.has(code) ? byField[field] : undefined;
  if (wanted !== undefined) return wanted;
  const ofHead = of === 'invalid_header' ? imports.headFaults[code] : undefined;
  return ofHead ?? fieldErrors.codes[code] ?? fieldErrors.other;
}
