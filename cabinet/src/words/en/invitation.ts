/** English texts of the invitation page. */

export const invitation = {
  title: 'Welcome to Attune',
  about: 'Choose the password that you will sign in with.',
  accept: 'Set the password',
  accepted: 'The password is set.',
  signIn: 'Sign in',
  over: 'This invitation was used, has ended or was taken back. Ask for a new one.',
  missing: 'The address of this page is not complete. Open it as it was given to you.',
};
