/** The menus of the header, which are loaded together. */
export { AccountMenu } from './AccountMenu.tsx';
export { TenantMenu } from './TenantMenu.tsx';
