/** Returns the pattern of LIKE for all texts that contain a text; none of its characters is a wildcard. */
export function containing(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
}
