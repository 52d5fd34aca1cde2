/**
 * The possible faults of a field, in any kind of request. validation.ts chooses the code of a fault of the schema; the
 * limits are in the fields of each request, such as itemFields.ts.
 */

export type DetailCode =
  | 'required'
  | 'invalid_type'
  | 'invalid_value'
  | 'too_long'
  | 'unknown_field'
  | 'invalid_url'
  | 'invalid_datetime'
  | 'forbidden_address'
  | 'pii_not_allowed'
  | 'no_purchase_type'
  | 'unknown_filter'
  | 'too_old'
  // Codes of the analytics API, and of the cabinet's reports.
  | 'too_many'
  | 'unknown_dimension'
  | 'unknown_metric'
  | 'unknown_segment'
  | 'incompatible'
  | 'bad_date'
  | 'bad_filter';

/** One fault of one field. */
export interface FieldFault {
  /** `media[0].url`; the body itself is an empty string. */
  field: string;
  code: DetailCode;
  /** Used only in the message: the limit that was exceeded, or the allowed values. */
  limit?: number;
  allowed?: readonly string[];
}

/** Maximum number of faults in an answer. */
export const MAX_FAULTS = 100;
