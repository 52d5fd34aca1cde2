/** English texts about the signed-in user. */

export const account = {
  menu: 'Account',
  own: 'Your account',
  users: 'Users',
  changes: 'Changes',
  noChanges: 'Only owners and administrators can see the changes.',
  installation: 'Installation',
  noInstallation: 'Only administrators can see the state of the installation.',
  signOut: 'Sign out',
  signOutEverywhere: 'Sign out on all devices',
  language: 'Language',
  theme: 'Theme',
  themes: { system: 'Same as system', light: 'Light', dark: 'Dark' },
  roles: { admin: 'Administrator', owner: 'Owner', viewer: 'Viewer' },
};
