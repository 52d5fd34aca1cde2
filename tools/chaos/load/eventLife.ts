/** Sends batches of interaction events of all modes, with repeats and events that should be rejected. */
import type { Expected } from './expected.ts';
import type { Scenario, ScenarioDeps } from './scenarios.ts';
import type { Random } from '../../load/random.ts';

export interface SentEvent {
  id: string;
  type: string;
  item: string;
  user: { user_id: string } | { anonymous_id: string };
  occurred_at: string;
  value?: number;
  surface?: string;
  position?: number;
}

export interface EventsAnswer {
  accepted: number;
  duplicates: number;
  rejected: { index: number; id: string; code: string }[];
}

export const BATCH = 60;
const USERS = 300;
const DEVICES = 100;
const REJECTED = 2;
/** Repeats in a batch: ids from earlier in the same batch, and ids from accepted batches. */
const REPEATED_HERE = 2;
const REPEATED_BEFORE = 3;
/** Percentage of batches that are sent a second time as a whole. */
const RESENT_PERCENT = 10;
/** Number of accepted events that are kept for repeats. */
const REMEMBERED = 3_000;

const SURFACES = ['feed', 'next', 'search'] as const;
type Kind = 'impression' | 'fact' | 'max' | 'state';
/** Shares of events, in percent. */
const TYPES: readonly [type: string, kind: Kind, percent: number][] = [
  ['impression', 'impression', 40],
  ['open', 'fact', 25],
  ['share', 'fact', 4],
  ['comment', 'fact', 3],
  ['cart', 'fact', 4],
  ['view', 'max', 8],
  ['watch', 'max', 6],
  ['like', 'state', 6],
  ['favourite', 'state', 3],
  ['hide', 'state', 1],
];
export const KINDS: ReadonlyMap<string, Kind> = new Map(TYPES.map(([type, kind]) => [type, kind]));

export function createEventScenario(deps: ScenarioDeps): Scenario {
  const { expected, sender, targets } = deps;
  const accepted: SentEvent[] = [];

  return async (n, random) => {
    const fresh = Array.from({ length: BATCH - REJECTED - REPEATED_HERE - REPEATED_BEFORE }, (_, index) =>
      eventOf(deps, `e-${n}-${index}`, random),
    );
    const repeats = accepted.length > 0 ? Array.from({ length: REPEATED_BEFORE }, () => random.pick(accepted)) : [];
    const bad = badEvents(deps, n, random);
    const events = [...fresh, ...fresh.slice(0, REPEATED_HERE), ...repeats, ...bad];
    const post = () => sender.write<EventsAnswer>(targets.main, { method: 'POST', path: '/events', body: { events } });

    const first = await post();
    const whole = { accepted: fresh.length, duplicates: REPEATED_HERE + repeats.length, rejected: bad.length };
    judge(expected, `events ${n}`, first.body, events.length, first.isClean ? whole : null);
    for (const event of fresh) recordEvent(expected, event);
    for (const { id } of bad) expected.rejected.add(id);
    accepted.push(...fresh);
    if (accepted.length > REMEMBERED) accepted.splice(0, accepted.length - REMEMBERED);
    if (!random.percent(RESENT_PERCENT)) return;
    const again = await post();
    judge(expected, `events ${n} again`, again.body, events.length, {
      accepted: 0,
      duplicates: events.length - bad.length,
      rejected: bad.length,
    });
  };
}

/** Compares a response with its request. `whole` is null when an earlier attempt may have taken effect. */
export function judge(
  expected: Expected,
  what: string,
  answer: EventsAnswer,
  sent: number,
  whole: { accepted: number; duplicates: number; rejected: number } | null,
): void {
  const got = { accepted: answer.accepted, duplicates: answer.duplicates, rejected: answer.rejected.length };
  const adds = got.accepted + got.duplicates + got.rejected === sent;
  const fits =
    whole === null ||
    (got.accepted === whole.accepted && got.duplicates === whole.duplicates && got.rejected === whole.rejected);
  if (!adds || !fits)
    expected.complaints.push(
      `${what}: answered ${JSON.stringify(got)} of ${sent}${whole ? `, expected ${JSON.stringify(whole)}` : ''}`,
    );
}

/** Records the expected effect of an accepted event. */
export function recordEvent(expected: Expected, event: SentEvent): void {
  const kind = KINDS.get(event.type);
  const owner = ownerOf(event.user);
  const at = Date.parse(event.occurred_at);
  if (kind === 'impression') expected.recordImpression(event.occurred_at.slice(0, 10), event.item, event.surface ?? '');
  else if (kind === 'fact') expected.facts.set(event.id, { type: event.type, item: event.item, owner, value: null });
  else if (kind)
    expected.recordState({ owner, item: event.item, type: event.type, mode: kind, value: event.value ?? 1, at });
}

export function ownerOf(user: SentEvent['user']): string {
  return 'user_id' in user ? `user:${user.user_id}` : `anonymous:${user.anonymous_id}`;
}

function eventOf(deps: ScenarioDeps, id: string, random: Random): SentEvent {
  const type = chooseType(random);
  const user = random.percent(80)
    ? { user_id: `u-${random.below(USERS)}` }
    : { anonymous_id: `a-${random.below(DEVICES)}` };
  const event = { id, type, item: random.pick(deps.baseItems), user, occurred_at: deps.occurrence() };
  const kind = KINDS.get(type);
  if (kind === 'impression')
    return {
      ...event,
      ...(random.percent(80) && { surface: random.pick(SURFACES) }),
      ...(random.percent(90) && { position: random.below(120) }),
    };
  if (kind === 'max') return { ...event, value: random.below(101) };
  if (kind === 'state') return { ...event, value: random.percent(75) ? 1 : 0 };
  return { ...event, surface: random.pick(SURFACES), position: random.below(50) };
}

function badEvents(deps: ScenarioDeps, n: number, random: Random): SentEvent[] {
  const occurred_at = deps.occurrence();
  const user = { user_id: `u-${random.below(USERS)}` };
  return [
    { id: `bad-${n}-0`, type: 'open', item: 'nobody-knows-it', user, occurred_at },
    { id: `bad-${n}-1`, type: 'no-such-type', item: random.pick(deps.baseItems), user, occurred_at },
  ];
}

function chooseType(random: Random): string {
  let left = random.next() * 100;
  for (const [type, , percent] of TYPES) {
    left -= percent;
    if (left < 0) return type;
  }
  return 'open';
}
