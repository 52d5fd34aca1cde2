/** English texts of the invitation page. */

export const invitation = {
  title: 'Welcome to Attune',
  about: 'Choose the password that you will sign in with.',
  accept: 'Set the password',
  accepted: 'The password is set.',
  signIn: 'Sign in',
  over: 'This invitation has been used, has expired or was withdrawn. Ask for a new one.',
  missing: 'The address of this page is incomplete. Open it exactly as it was given to you.',
};
