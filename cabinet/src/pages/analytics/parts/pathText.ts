/** Returns the part of an address that distinguishes the pages of a site; a dash if there is none. */
export function pathText(address: string | null): string {
  if (address === null) return '—';
  return URL.canParse(address) ? new URL(address).pathname : address;
}

/** Decodes an address for display: `/спасибо` instead of `/%D1%81%D0%BF…`. */
export function readableAddress(address: string): string {
  try {
    return decodeURI(address);
  } catch {
    // It has escapes that are not UTF-8.
    return address;
  }
}
