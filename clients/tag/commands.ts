/**
 * The commands that the site's owner calls, svc(command, …). Commands that come before `init` wait for it. Commands
 * from before the script has loaded are in the snippet's queue, which main.ts passes on.
 */
import type { EventFields, Params } from './data/event.ts';
import { EVENT_PARAMS_MAX_BYTES, NAME_MAX_LENGTH } from '../../domain/collect/tagEventLimits.ts';
import { isGoalCode } from '../../domain/sites/goalCode.ts';
import { readOptions } from './data/options.ts';
import { readOrder } from './data/order.ts';
import { isRecord } from '../../domain/isRecord.ts';
import { readParams } from './data/params.ts';
import { deleteSession } from './recordingSession.ts';
import { cut, identifier } from './data/storableText.ts';
import { Tracker, type TrackerSettings, type ViewFields } from './tracker.ts';
import { openStorage } from './sending/transport.ts';
import { readUser } from './data/user.ts';
import { deleteVisitor } from './visitorCookie.ts';

export type Arguments = ArrayLike<unknown>;
export type Environment = Pick<TrackerSettings, 'scriptUrl' | 'nonce' | 'host'>;

const TAG_KEY = /^as_[A-Za-z0-9]{24}$/;

export interface Commands {
  run(given: Arguments): void;
}

export function createCommands(environment: Environment): Commands {
  let tracker: Tracker | null = null;
  let waiting: Arguments[] = [];
  let isSilent = false;
  const init = (key: unknown, given: unknown): void => {
    if (tracker !== null || isSilent) return; // a page has one site, initialised once
    if (typeof key !== 'string' || !TAG_KEY.test(key)) return warn('init: not a tag key', key);
    const options = readOptions(given);
    const before = waiting;
    waiting = [];
    if (options.gpc && navigator.globalPrivacyControl === true) {
      isSilent = true;
      return deleteStoredData(key);
    }
    tracker = new Tracker({ ...environment, key, options });
    for (const command of before) attempt(tracker, command);
  };
  return {
    run(given) {
      if (given[0] === 'init') init(given[1], given[2]);
      else if (tracker !== null) attempt(tracker, given);
      else if (!isSilent) waiting.push(given);
    },
  };
}

/** Deletes the data that an earlier page stored before the visitor opted out of tracking. */
function deleteStoredData(key: string): void {
  deleteVisitor();
  deleteSession();
  openStorage()?.removeItem(`_svc_q_${key}`);
}

/** Runs a command so that an error in it, or in the site's own callback, does not prevent the others from running. */
function attempt(tracker: Tracker, given: Arguments): void {
  try {
    carryOut(tracker, String(given[0]), given[1], given[2]);
  } catch (error) {
    warn(`${String(given[0])} failed`, error);
  }
}

function carryOut(tracker: Tracker, command: string, first: unknown, second: unknown): void {
  if (command === 'ready') ready(tracker, first);
  else if (command === 'hit') tracker.hit(readView(first, second));
  else if (command === 'user') sendPart(tracker, command, 'user', { given: first, part: readUser(first) });
  else if (command === 'goal' || command === 'event') sendNamed(tracker, command, first, second);
  else if (command === 'purchase' || command === 'refund')
    sendPart(tracker, command, 'order', { given: first, part: readOrder(first) });
  else warn('no such command', command);
}

function ready(tracker: Tracker, callback: unknown): void {
  if (typeof callback === 'function') callback(tracker.visitorId);
}

function goalCode(given: unknown): string | undefined {
  return typeof given === 'string' && isGoalCode(given) ? given : undefined;
}

/** Returns the name of an event. A long name is cut, because its start still identifies it; an empty one is invalid. */
function eventName(given: unknown): string | undefined {
  return identifier(typeof given === 'string' ? cut(given.trim(), NAME_MAX_LENGTH) : given, NAME_MAX_LENGTH);
}

/** Params over their limit are not sent; the goal or event counts all the same. */
function sendNamed(tracker: Tracker, type: 'goal' | 'event', given: unknown, givenParams: unknown): void {
  const name = type === 'goal' ? goalCode(given) : eventName(given);
  if (name === undefined) return warn(`${type}: invalid name`, given);
  const params = readParams(givenParams, EVENT_PARAMS_MAX_BYTES);
  if (params === undefined && isRecord(givenParams))
    warn(`${type}: params are not sent: empty, over 2 KB or not JSON`, name);
  tracker.report(type, params ? { name, params } : { name });
}

/** Sends the valid part of an argument, and names the other fields to the developer. */
function sendPart(
  tracker: Tracker,
  type: 'user' | 'purchase' | 'refund',
  field: 'user' | 'order',
  { given, part }: { given: unknown; part: Params | undefined },
): void {
  if (part === undefined) return warn(`${type}: nothing to send`, type);
  const fields = given as Params;
  const left = Object.keys(fields).filter((name) => !(name in part) && (fields[name] ?? '') !== '');
  if (left.length > 0) warn(`${type}: left out`, left.join(', '));
  tracker.report(type, { [field]: part } satisfies Partial<EventFields>);
}

/** Reads svc('hit'), svc('hit', url), svc('hit', url, fields) and svc('hit', fields). */
function readView(first: unknown, second: unknown): ViewFields {
  const given = isRecord(first) ? first : isRecord(second) ? second : {};
  const view: ViewFields = {};
  const url = typeof first === 'string' ? first : given['url'];
  if (typeof url === 'string' && url !== '') view.url = url;
  if (typeof given['title'] === 'string') view.title = given['title'];
  if (typeof given['referrer'] === 'string') view.referrer = given['referrer'];
  if (isRecord(given['params'])) view.params = given['params'];
  return view;
}

/** Warns the site's developer; visitors do not look at the console. */
function warn(text: string, detail: unknown): void {
  // oxlint-disable-next-line eslint/no-console -- the only way to inform the author of a page
  console.warn('[svc]', text, detail);
}
