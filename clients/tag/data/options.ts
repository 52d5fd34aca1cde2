/**
 * Automatic functions of the tag; each can be turned off. With `gpc`, the tag does nothing where the browser sends
 * Global Privacy Control.
 */
import type { Params } from './event.ts';
import { isRecord } from '../../../domain/isRecord.ts';

const AUTOMATIC = [
  'pageviews',
  'clicks',
  'forms',
  'outbound',
  'downloads',
  'scroll',
  'ping',
  'recording',
  'gpc',
] as const;
export type Automatic = (typeof AUTOMATIC)[number];

export interface Options extends Record<Automatic, boolean> {
  /** Params of every automatic page view. */
  params: Params | null;
}

/** @param given the third argument of svc('init'), or null */
export function readOptions(given: unknown): Options {
  const options: Params = { params: null };
  for (const name of AUTOMATIC) options[name] = !(isRecord(given) && given[name] === false);
  if (isRecord(given) && isRecord(given['params'])) options['params'] = given['params'];
  return options as unknown as Options;
}

/** Reads the attribute data-off="clicks scroll". */
export function optionsOff(names: string): Params {
  const options: Params = {};
  for (const name of names.split(/[\s,]+/)) if (name !== '') options[name] = false;
  return options;
}
