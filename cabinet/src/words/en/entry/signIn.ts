/** English texts of the sign-in page. */

export const signIn = {
  title: 'Sign in',
  email: 'E-mail',
  password: 'Password',
  code: 'Code from your authenticator, or a recovery code',
  submit: 'Sign in',
  byLink: 'Signing you in…',
  wrong: 'The e-mail or the password is wrong.',
  wrongCode: 'This code is wrong or was used before.',
  linkOver: 'This link has been used or has expired. Ask for a new one, or sign in with your password.',
  newLink: 'This command, on the machine that runs Attune, prints a new one:',
};
