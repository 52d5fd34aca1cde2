/** English texts in dialogs. */

export const secrets = {
  once: 'It is shown only once. Store it now: it cannot be shown again.',
  stored: 'I have stored it',
  copy: 'Copy',
  copied: 'Copied',
};

export const dialogs = { cancel: 'Cancel' };
