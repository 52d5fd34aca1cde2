/** What may be wrong with a field, whichever way it came. */

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
  // Of the analytics API, and of the cabinet's reports.
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
  /** For the text only: the limit that was passed, or the values that would do. */
  limit?: number;
  allowed?: readonly string[];
}
