/** English texts in dialogs. */

export const secrets = {
  once: 'It is shown once. Store it now: nobody can show it again.',
  stored: 'I have stored it',
  copy: 'Copy',
  copied: 'Copied',
};

export const dialogs = { cancel: 'Cancel' };
