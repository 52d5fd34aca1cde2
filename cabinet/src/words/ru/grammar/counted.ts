const RULES = new Intl.PluralRules('ru');

/** Returns whether words before the number are singular: `последний 21 день`, but `последние 22 дня`. */
export function isSingular(count: number): boolean {
  return RULES.select(count) === 'one';
}

/** Returns a number with its noun: `1 день`, `3 дня`, `11 дней`. */
export function counted(count: number, one: string, few: string, many: string): string {
  const rule = RULES.select(count);
  return `${count} ${rule === 'one' ? one : rule === 'few' ? few : many}`;
}
