/** English texts about setting a new password. */

export const passwords = {
  fresh: 'New password',
  again: 'Repeat the new password',
  hint: 'At least 8 characters. A few unusual words are better than special characters.',
  short: 'At least 8 characters.',
  differ: 'The two passwords do not match.',
};
