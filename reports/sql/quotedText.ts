/** Quotes a text as an SQL literal. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
