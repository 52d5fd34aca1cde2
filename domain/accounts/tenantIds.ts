/** Ids of projects and sites. */
import { randomText } from './randomText.ts';

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** Returns a new project or site id: 12 characters of a-z0-9. */
export function newTenantId(): string {
  return randomText(ALPHABET, 12);
}

export function isTenantId(text: string): boolean {
  return /^[a-z0-9]{12}$/.test(text);
}
