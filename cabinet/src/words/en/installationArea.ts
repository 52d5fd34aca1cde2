/** English texts of the account page and the installation pages. */
export * from './installation.ts';
export * from './profile.ts';
export * from './users.ts';
