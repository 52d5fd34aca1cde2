import type { Words } from './en/index.ts';

/** Returns in words why a step stopped, or the code itself if this version does not know it. */
export function reasonText({ reasons }: Pick<Words, 'reasons'>, code: string): string {
  return reasons[code] ?? code;
}
