/** A line of an import: a PUT of one item, `{id, …fields}` or `{op: "put", id, data: {…fields}}`. */
import Type from 'typebox';
import { ID_MAX_LENGTH } from '../idLength.ts';
import type { ItemContent } from '../items/item.ts';
import type { FieldFault } from './fieldFaults.ts';
import { contentOfPut, ItemPutRequest, mediaRule } from './itemFields.ts';
import { oneOf, strictObject, text } from './schema.ts';
import { joinFaults, type CompileValidator } from './validation.ts';

const Envelope = strictObject({ op: Type.Optional(oneOf(['put'])), id: text(ID_MAX_LENGTH, { minLength: 1 }) });

export type ValidatedLine = { id: string; content: ItemContent } | { id: string | null; faults: FieldFault[] };

/**
 * Validates a line's value as a PUT of the item would be. Paths of faults are those of the item's fields, or `op`,
 * `id`, `data`.
 */
export function createLineValidator(validators: CompileValidator): (value: unknown) => ValidatedLine {
  const validateEnvelope = validators(Envelope);
  const validateData = validators(ItemPutRequest);
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return { id: null, faults: [{ field: '', code: 'invalid_type' }] };
    const { envelope, data } = partsOf(value as Record<string, unknown>);
    const envelopeFaults = [
      ...validateEnvelope(envelope),
      ...(data === undefined ? [{ field: 'data', code: 'required' as const }] : []),
    ];
    const dataFaults = data === undefined ? [] : joinFaults(validateData(data), mediaRule(data));
    const id = envelopeFaults.some(({ field }) => field === 'id') ? null : String(envelope['id']);
    const faults = [...envelopeFaults, ...dataFaults];
    if (id === null || faults.length > 0) return { id, faults };
    return { id, content: contentOfPut(data as ItemPutRequest) };
  };
}

function partsOf(line: Record<string, unknown>): { envelope: Record<string, unknown>; data: unknown } {
  if ('op' in line || 'data' in line) {
    const { data, ...envelope } = line;
    return { envelope, data };
  }
  const { id, ...data } = line;
  return { envelope: id === undefined ? {} : { id }, data };
}
