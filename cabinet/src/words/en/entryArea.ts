/** English texts of sign-in, of the frame of every page, and of errors. The sign-in page loads no other texts. */
export * from './entry/account.ts';
export * from './entry/app.ts';
export * from './entry/dialogs.ts';
export * from './entry/errors.ts';
export * from './entry/fieldErrors.ts';
export * from './entry/invitation.ts';
export * from './entry/passwords.ts';
export * from './entry/signIn.ts';
