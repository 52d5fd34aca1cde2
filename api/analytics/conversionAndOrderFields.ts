/** Fields common to conversions and orders in requests. */
import Type from 'typebox';
import { parseOptionalDateTime } from '../../domain/dateTime.ts';
import { momentOf } from '../../domain/sites/factTime.ts';
import { oneOf } from '../../domain/schemas/schema.ts';
import type { FieldFault } from '../http/errors.ts';
import { timestamp, userId, visitorId } from './analyticsOperation.ts';
import { MAX_AMOUNT } from '../../domain/sites/amountLimits.ts';

export const SUBJECT_FIELDS = {
  visitor_id: Type.Optional(visitorId),
  user_id: Type.Optional(userId),
};

export const occurredAt = timestamp('By default the time of receipt, which also replaces a time in the future');

/** Returns the schema of an amount of money, to be parsed as a decimal number. */
export const amount = (minimum: number, description: string) =>
  Type.Number({ minimum, maximum: MAX_AMOUNT, description });

/** JSON Schema of the rule that at least one of the two identifiers is present. */
export const SUBJECT_CONDITION = { anyOf: [{ required: ['visitor_id'] }, { required: ['user_id'] }] };

/**
 * Returns the rule about the two identifiers: each element of the list has at least one. The value need not be valid,
 * because the rule is checked in addition to the schema.
 */
export function subjectRule(list: string): (value: unknown) => FieldFault[] {
  return (value) => {
    const elements = (value as Record<string, unknown> | null)?.[list];
    if (!Array.isArray(elements)) return [];
    return elements.flatMap((element: unknown, index): FieldFault[] => {
      const hasSubject =
        typeof element !== 'object' ||
        element === null ||
        Array.isArray(element) ||
        'visitor_id' in element ||
        'user_id' in element;
      return hasSubject ? [] : [{ field: `${list}[${index}].visitor_id`, code: 'required' }];
    });
  };
}

type Subject = Partial<Record<keyof typeof SUBJECT_FIELDS | 'occurred_at', string>>;

/** Returns the person and the time of a valid element; a visitor takes precedence over a user. */
export function readSubject({ visitor_id: visitor, user_id: user, occurred_at: sent }: Subject, receivedAt: Date) {
  return {
    visitorId: visitor?.toLowerCase() ?? null,
    userId: visitor === undefined ? (user ?? null) : null,
    occurredAt: momentOf(parseOptionalDateTime(sent), receivedAt),
  };
}

/** Returns the response schema of conversions and of orders: the results of a batch. */
export function batchResponse<const Codes extends readonly string[]>(title: string, codes: Codes) {
  return Type.Object(
    {
      accepted: Type.Integer({ minimum: 0, description: 'Records accepted for the first time' }),
      duplicates: Type.Integer({ minimum: 0, description: 'Records that had been counted before' }),
      rejected: Type.Array(
        Type.Object({
          index: Type.Integer({ minimum: 0, description: 'Position of the record in the batch, from 0' }),
          code: oneOf(codes),
        }),
      ),
    },
    { title, description: 'accepted + duplicates + the number of rejected = the number sent' },
  );
}
