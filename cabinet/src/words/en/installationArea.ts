/** English texts of the account page and the installation pages. */
export * from './installation/installation.ts';
export * from './installation/profile.ts';
export * from './installation/users.ts';
