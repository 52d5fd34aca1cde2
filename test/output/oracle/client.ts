/**
 * One client of a world: sends requests, follows pages, writes now and then, and compares every answer with the
 * model.
 */
import type { Dice } from '../../reports/oracle/world/dice.ts';
import type { Answer, Client } from '../../api/support/testApi.ts';
import {
  subjectsOf,
  type AnswerItem,
  type Asked,
  type Body,
  type OutputAnswer,
  type SuggestAnswer,
} from './requests/asked.ts';
import type { History } from './world/history.ts';
import { judgePage, type Fault } from './rules/judge.ts';
import { keyOf, viewOf } from './world/people.ts';
import { judgePins } from './rules/pins.ts';
import { judgeCounts } from './rules/searchCounts.ts';
import { PROBES } from './requests/probes.ts';
import { randomRequest, type Asking } from './requests/requests.ts';
import type { Tally } from './rules/tally.ts';
import type { State } from './world/world.ts';
import { meantBy, type Surfaces } from './requests/surfaces.ts';
import { randomWrite, type Writing } from './world/writes.ts';

/** One API process of an installation. */
export interface Door {
  name: string;
  call: Client;
  /** Its deadline is 0, so every answer is a fallback. */
  isList: boolean;
  /** Lines of the process's log so far. */
  log: readonly Record<string, unknown>[];
}

export interface Visit {
  dice: Dice;
  history: History;
  tally: Tally;
  doors: readonly Door[];
  surfaces: Surfaces;
  /** Whether the snapshots of an answer must not have a person, by the id of the answer. */
  nameless: Map<string, boolean>;
  asking: Asking;
  writing: Writing;
  /** Called with all faults of an answer. */
  onFaults(report: FaultReport): Promise<void>;
}

export interface FaultReport {
  asked: Asked;
  door: Door;
  page: number;
  mode: string;
  faults: readonly Fault[];
}

/** The result of one request. */
export interface Got {
  answer: Answer;
  possible: readonly State[];
  /** When the request was sent, on the clock of `performance.now()`. */
  from: number;
  askedAt: number;
}

const WRITE_PERCENT = 30;
const PROBE_PERCENT = 35;
const MAX_PAGES = 6;

/** Continues until all clients together have sent `until` requests. */
export async function visit(visit: Visit, until: number): Promise<void> {
  const { dice, tally } = visit;
  while (tally.requests < until) {
    const asked = randomRequest(visit.history.state, visit.asking);
    if (asked.path.name !== 'suggest' && dice.chance(PROBE_PERCENT)) {
      await probe(visit, asked);
      continue;
    }
    if (dice.chance(WRITE_PERCENT)) await write(visit);
    await askPages(visit, asked);
  }
}

async function write({ history, writing, tally }: Visit): Promise<void> {
  tally.writes += 1;
  await history.write((state) => randomWrite(state, writing));
}

export async function ask({ history, tally }: Visit, door: Door, { path, body }: Asked): Promise<Got> {
  const [from, askedAt] = [performance.now(), Date.now()];
  const answer = await door.call('POST', path.url, body);
  const possible = history.possible(from, performance.now());
  if (possible.length > 1) tally.overlapped += 1;
  return { answer, possible, from, askedAt };
}

async function askPages(visit: Visit, asked: Asked): Promise<void> {
  const { dice, tally } = visit;
  const door = dice.pick(visit.doors);
  if (asked.path.name === 'suggest') return askSuggestions(visit, door, asked);
  const pages: OutputAnswer[] = [];
  const met: Got[] = [];
  const isWhole = dice.chance(30);
  for (let cursor: string | null | undefined; cursor !== null && pages.length < MAX_PAGES;) {
    const body: Body = cursor === undefined ? asked.body : { ...asked.body, cursor };
    // Another process may serve the next page, and then waits until the previous pages are stored.
    const at = pages.length > 0 && dice.chance(2) ? dice.pick(visit.doors) : door;
    const got = await ask(visit, at, { ...asked, body });
    const since = met[0]?.from ?? null;
    if (got.answer.status !== 200) return refused(visit, { asked, door: at, got, since });
    const answer = got.answer.body as OutputAnswer;
    await judge(visit, { asked, door: at, got, earlier: [...pages] });
    pages.push(answer);
    met.push(got);
    if (cursor !== undefined) tally.chance('no repeats');
    if (since !== null && dice.chance(10))
      await askAgain(visit, { asked: { ...asked, body }, door: at, since }, answer);
    cursor = answer.next_cursor;
    if (!isWhole && dice.chance(60)) break;
    if (dice.chance(WRITE_PERCENT / 2)) await write(visit);
  }
  await weighAll(visit, door, asked, { pages, met });
}

/** Notes answers to nobody, to an unknown person or without personalization: their snapshots have no person. */
function noteNameless(
  { nameless, asking: { people } }: Visit,
  { body }: Asked,
  { answer, possible, askedAt }: Got,
): void {
  const views = possible.map((state) => viewOf(state, people.rulebook, body.user ?? null, askedAt));
  const id = String(answer.body.recommendation_id);
  nameless.set(id, (nameless.get(id) ?? true) && views.every((view) => !view?.personalization));
}

/** Sends a request, forbids an item of the answer, and sends the same request at once. */
async function probe(visit: Visit, asked: Asked): Promise<void> {
  const { dice, history, tally, writing } = visit;
  const door = dice.pick(visit.doors);
  const before = await askFirst(visit, door, asked);
  const shown = before?.answer.body as OutputAnswer | undefined;
  if (before && shown) weigh(visit, asked, before);
  if (!shown || shown.items.length === 0) return;
  // The items at the first positions are the likeliest to be shown again.
  const { id } = dice.pick(shown.items.slice(0, 3));
  const kind = dice.pick(Object.keys(PROBES));
  const { user } = asked.body;
  const ids = user?.user_id?.startsWith('stranger') ? null : (user ?? null);
  let isMade = false;
  await history.write((state) => {
    const item = state.items.get(id);
    const write = item ? PROBES[kind]?.({ state, item, ids, body: asked.body, writing }) : null;
    isMade = Boolean(write);
    return write ?? null;
  });
  if (!isMade) return;
  tally.writes += 1;
  tally.chance(`at once: ${kind}`);
  await askFirst(visit, door, asked);
}

/** Requests one page and judges it; returns null when it is refused. */
async function askFirst(visit: Visit, door: Door, asked: Asked): Promise<Got | null> {
  const got = await ask(visit, door, asked);
  if (got.answer.status !== 200) {
    await refused(visit, { asked, door, got, since: null });
    return null;
  }
  await judge(visit, { asked, door, got, earlier: [] });
  return got;
}

interface Judging {
  asked: Asked;
  door: Door;
  got: Got;
  earlier: readonly OutputAnswer[];
}

async function judge(visit: Visit, { asked, door, got, earlier }: Judging): Promise<void> {
  const { tally, asking } = visit;
  const { rulebook } = asking.people;
  const answer = got.answer.body as OutputAnswer;
  tally.answered(asked, answer.mode, answer.items.length);
  const meant = meantBy(visit.surfaces, asked, answer.recommendation_id);
  const page = {
    asked: meant,
    answer,
    possible: got.possible,
    askedAt: got.askedAt,
    earlier,
  };
  const faults = [...judgePage(page, rulebook), ...judgePins(page, rulebook, tally)];
  if (door.isList && answer.mode !== 'fallback')
    faults.push({ rule: 'mode', detail: `${answer.mode} without selection` });
  if (faults.length > 0) await visit.onFaults({ asked, door, page: earlier.length, mode: answer.mode, faults });
  noteNameless(visit, asked, got);
}

/**
 * Requests the same page again: it has the same items at the same positions, except those that may not be shown any
 * more.
 */
async function askAgain(
  visit: Visit,
  { asked, door, since }: Pick<Refusal, 'asked' | 'door' | 'since'>,
  before: OutputAnswer,
): Promise<void> {
  const { answer } = await ask(visit, door, asked);
  if (isForgotten(visit, { asked, answer, since })) return;
  const again = answer.body as OutputAnswer;
  const known = new Map(before.items.map((item) => [item.id, sameOf(item)]));
  const others = answer.status === 200 ? again.items.filter((item) => known.get(item.id) !== sameOf(item)) : [];
  visit.tally.chance('the same page again');
  if (answer.status === 200 && others.length === 0) return;
  const faults = [
    { rule: 'the same page again', detail: JSON.stringify(answer.status === 200 ? others : answer.body) },
  ];
  await visit.onFaults({ asked, door, page: 1, mode: before.mode, faults });
}

/** Returns what a repeated page must say about an item: all but its scores, which are stored with fewer digits. */
function sameOf({ position, reason, explain }: AnswerItem): string {
  return JSON.stringify([position, reason, explain && [Object.keys(explain), explain.parts, explain.factor]]);
}

interface Refusal {
  asked: Asked;
  door: Door;
  got: Got;
  /** When the first page of the answer was requested; null for a first page. */
  since: number | null;
}

/**
 * Judges a refusal: it is right for a subject that never existed, and for a page whose person was deleted after the
 * first one. The database is always there, so 503 is a fault as well.
 */
async function refused(visit: Visit, { asked, door, got, since }: Refusal): Promise<void> {
  const { answer, possible } = got;
  const isKnown = subjectsOf(asked).every((id) => possible.some(({ items }) => items.has(id)));
  visit.tally.answered(asked, `${answer.status}`, 0);
  if (answer.status === 404 && !isKnown) return;
  if (isForgotten(visit, { asked, answer, since })) return;
  const faults = [
    { rule: 'status', detail: `${answer.status} ${JSON.stringify(answer.body)} ${logged(door, answer)}` },
  ];
  await visit.onFaults({ asked, door, page: since === null ? 0 : 1, mode: `${answer.status}`, faults });
}

/**
 * Reports whether a cursor was refused because its person was deleted after the first page: the snapshots that it
 * continues were deleted, or never stored.
 */
function isForgotten(
  { history }: Visit,
  { asked, answer, since }: { asked: Asked; answer: Answer; since: number | null },
): boolean {
  const key = asked.body.user ? keyOf(asked.body.user) : null;
  const isAboutCursor = answer.status === 400 && answer.body.error.details[0]?.field === 'cursor';
  if (!isAboutCursor || since === null || key === null) return false;
  const known = history.possible(since, performance.now()).map(({ identities }) => identities.has(key));
  return known.some((isKnown, at) => !isKnown && known[at - 1] === true);
}

/** Returns what the log says about a request. */
function logged({ log }: Door, { headers }: Answer): string {
  const id = headers.get('x-request-id');
  return JSON.stringify(log.filter(({ requestId }) => requestId === id));
}

interface Walk {
  pages: readonly OutputAnswer[];
  met: readonly Got[];
}

/** @returns how many items may be shown; null when a write was in progress */
function weigh({ tally, asking, surfaces }: Visit, asked: Asked, { answer, possible, askedAt }: Got): number | null {
  const [state] = possible;
  if (!state || possible.length > 1) return null;
  return tally.weigh(meantBy(surfaces, asked, answer.body.recommendation_id), state, asking.people.rulebook, askedAt);
}

/**
 * Checks what holds only while nothing is written: whether an answer is too short and, if all its pages were read, the
 * counts of a search.
 */
async function weighAll(visit: Visit, door: Door, asked: Asked, { pages, met }: Walk): Promise<void> {
  const { tally } = visit;
  const [first] = pages;
  const [got] = met;
  const [state] = got?.possible ?? [];
  const allowed = got ? weigh(visit, asked, got) : null;
  if (!first || !got || !state || allowed === null) return;
  const meant = meantBy(visit.surfaces, asked, first.recommendation_id);
  const isStill = met.every(({ possible }) => possible.length === 1 && possible[0] === state);
  const isComplete = isStill && pages.at(-1)?.next_cursor === null;
  const shown = pages.flatMap(({ items }) => items);
  if (asked.path.isNeverEmpty) tally.notePlenty({ asked, first, allowed }, isComplete ? shown.length : null);
  // A fallback finds less than selection, which may fail or recover between two pages.
  const isOfOneMode = pages.every(({ mode }) => mode === first.mode);
  if (asked.path.name !== 'search' || !isComplete || !isOfOneMode) return;
  const faults = judgeCounts({ asked: meant, first, shown, state }, tally);
  if (faults.length > 0) await visit.onFaults({ asked, door, page: 0, mode: first.mode, faults });
}

/** Suggestions must have results: one is searched for unchanged, by the person to whom it was suggested. */
async function askSuggestions(visit: Visit, door: Door, asked: Asked): Promise<void> {
  const { tally, asking, dice } = visit;
  const got = await ask(visit, door, asked);
  if (got.answer.status !== 200) return refused(visit, { asked, door, got, since: null });
  const { suggestions } = got.answer.body as SuggestAnswer;
  tally.answered(asked, 'suggestions', suggestions.length);
  const search = [...asking.paths].find(([{ name }]) => name === 'search');
  // A request that names nobody draws a new variant each time.
  const isDrawn = asked.body.user === undefined && visit.surfaces.get(String(asked.body['surface']))?.variants.length;
  if (!search || isDrawn || suggestions.length === 0) return;
  const { text, kind } = dice.pick(suggestions);
  const [path, fields] = search;
  const others = Object.entries(asked.body).filter(
    ([field]) => fields.has(field) && !['prefix', 'limit'].includes(field),
  );
  const looked: Asked = { path, body: { ...Object.fromEntries(others), query: text } };
  const hits = await ask(visit, door, looked);
  if (hits.answer.status !== 200) return refused(visit, { asked: looked, door, got: hits, since: null });
  tally.chance('a suggestion leads to a hit');
  const isStill = hits.possible.length === 1 && got.possible.length === 1 && hits.possible[0] === got.possible[0];
  // A fallback searches titles alone: it may not find what selection has suggested.
  const isFallenBack = !door.isList && hits.answer.body.mode === 'fallback';
  if (isFallenBack || !isStill || hits.answer.body.items.length > 0) return;
  const faults = [{ rule: 'a suggestion leads to a hit', detail: `${kind} “${text}” finds nothing` }];
  await visit.onFaults({ asked, door, page: 0, mode: hits.answer.body.mode, faults });
}
