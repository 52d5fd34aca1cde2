/** English texts about rejected fields, by the code of the fault. */

export const faults = {
  codes: {
    required: 'This is needed.',
    invalid_value: 'This value is not allowed.',
    invalid_type: 'This is not of the right kind.',
    too_long: 'This is too long, or too many.',
    unknown_field: 'This is not known.',
    invalid_url: 'Write a whole https address that can be reached from the internet.',
    invalid_datetime: 'This is not a date and a time.',
    forbidden_address: 'This address leads inside and is not allowed.',
    pii_not_allowed: 'Personal data do not belong here.',
    no_purchase_type: 'No event type counts as a purchase.',
    unknown_filter: 'Nothing can be filtered by this.',
    too_old: 'This is too long ago.',
    too_many: 'These are too many.',
    unknown_dimension: 'Reports cannot be grouped by this.',
    unknown_metric: 'There is no such figure.',
    unknown_segment: 'This segment does not exist any more.',
    incompatible: 'This figure cannot be computed for these groups.',
    bad_date: 'The period is wrong: it ends before it begins, lies in the future, or is longer than 25 months.',
    bad_filter: 'This condition is wrong: look at its operation, its values, or its regular expression.',
  } as Readonly<Record<string, string>>,
  other: 'The server did not take this.',
};
