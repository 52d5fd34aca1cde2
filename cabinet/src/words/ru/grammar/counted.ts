const RULES = new Intl.PluralRules('ru');

/** Returns a number with its noun: `1 день`, `3 дня`, `11 дней`. */
export function counted(count: number, one: string, few: string, many: string): string {
  const rule = RULES.select(count);
  return `${count} ${rule === 'one' ? one : rule === 'few' ? few : many}`;
}
