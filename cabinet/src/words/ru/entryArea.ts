/** Russian texts of sign-in, of the frame of every page, and of errors. The sign-in page loads nothing else. */
export * from './account.ts';
export * from './app.ts';
export * from './dialogs.ts';
export * from './errors.ts';
export * from './fieldErrors.ts';
export * from './invitation.ts';
export * from './passwords.ts';
export * from './signIn.ts';
