import type { Words } from './en/index.ts';

/** Returns why a step stopped, in words; the code itself if this version does not know it. */
export function reasonText({ reasons }: Pick<Words, 'reasons'>, code: string): string {
  return reasons[code] ?? code;
}
