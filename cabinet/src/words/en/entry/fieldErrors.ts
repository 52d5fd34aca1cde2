/** English texts about rejected fields, by the code of the fault. */

export const fieldErrors = {
  codes: {
    required: 'This field is required.',
    invalid_value: 'This value is not allowed.',
    invalid_type: 'This value has the wrong type.',
    too_long: 'This is too long, or has too many entries.',
    unknown_field: 'There is no such field.',
    invalid_url: 'Enter a full https address that can be reached from the internet.',
    invalid_datetime: 'This is not a date and time.',
    forbidden_address: 'This address is internal and not allowed.',
    pii_not_allowed: 'Personal data is not allowed here.',
    no_purchase_type: 'No event type counts as a purchase.',
    unknown_filter: 'This cannot be used as a filter.',
    too_old: 'This is too long ago.',
    too_many: 'There are too many.',
    unknown_dimension: 'Reports cannot be grouped by this.',
    unknown_metric: 'There is no such figure.',
    unknown_segment: 'This segment no longer exists.',
    incompatible: 'This figure cannot be computed for these groups.',
    bad_date: 'The period is wrong: it ends before it begins, reaches into the future, or is longer than 25 months.',
    bad_filter: 'This condition is wrong: check its operator, its values or its regular expression.',
  } as Readonly<Record<string, string>>,
  other: 'The server did not accept this.',
};
