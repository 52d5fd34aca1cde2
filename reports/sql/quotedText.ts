/** Quotes a text as an SQL literal. */
export function quotedText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
