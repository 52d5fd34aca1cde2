/** The menus of the header, which are loaded together. */
export { AccountMenu } from './AccountMenu.tsx';
export { PlaceMenu } from './PlaceMenu.tsx';
