/** A text as SQL spells it. */
export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
