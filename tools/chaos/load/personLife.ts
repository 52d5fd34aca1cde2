/**
 * Lives of people: a device with a history and a profile becomes a user's, sometimes a second one does, and sometimes
 * all is deleted.
 */
import type { ExpectedPerson } from './expected.ts';
import { judge, KINDS, recordEvent, type EventsAnswer, type SentEvent } from './eventLife.ts';
import type { Scenario, ScenarioDeps } from './scenarios.ts';
import type { Random } from '../../load/random.ts';

const SECOND_DEVICE_PERCENT = 25;
const DELETED_PERCENT = 20;
const FACTS = 5;
/** Impressions are in no history, so they must not be among the events moved. */
const IMPRESSIONS = 1;

interface LinkAnswer {
  merged: boolean;
  events_moved: number;
}

export function createPersonScenario(deps: ScenarioDeps): Scenario {
  const { expected, sender, targets } = deps;

  return async (n, random) => {
    const person: ExpectedPerson = { userId: `p-${n}`, devices: [], city: `city ${n}`, isDeleted: false };
    const history = await useDevice(deps, `d-${n}`, person.city, random);
    if (random.percent(DELETED_PERCENT)) {
      const request = { user_id: person.userId, anonymous_id: `d-${n}` };
      await sender.write<LinkAnswer>(targets.main, { method: 'POST', path: '/users/link', body: request });
      person.devices.push(`d-${n}`);
      await remove(deps, person, history);
    } else {
      await link(deps, person, `d-${n}`, history);
      if (random.percent(SECOND_DEVICE_PERCENT))
        await link(deps, person, `d-${n}-2`, await useDevice(deps, `d-${n}-2`, `elsewhere ${n}`, random));
    }
    expected.people.push(person);
  };
}

/** @returns the events of the device's history */
async function useDevice(deps: ScenarioDeps, anonymousId: string, city: string, random: Random): Promise<SentEvent[]> {
  const { expected, sender, targets } = deps;
  const events = historyOf(deps, anonymousId, random);
  const { body, isClean } = await sender.write<EventsAnswer>(targets.main, {
    method: 'POST',
    path: '/events',
    body: { events },
  });
  judge(
    expected,
    `events of ${anonymousId}`,
    body,
    events.length,
    isClean ? { accepted: events.length, duplicates: 0, rejected: 0 } : null,
  );
  await sender.write(targets.main, {
    method: 'POST',
    path: '/users/profile',
    body: { user: { anonymous_id: anonymousId }, city, interests: [city] },
  });
  return events;
}

async function link(
  { expected, sender, targets }: ScenarioDeps,
  person: ExpectedPerson,
  anonymousId: string,
  history: readonly SentEvent[],
): Promise<void> {
  const request = { user_id: person.userId, anonymous_id: anonymousId };
  const { body, isClean } = await sender.write<LinkAnswer>(targets.main, {
    method: 'POST',
    path: '/users/link',
    body: request,
  });
  const moved = history.length - IMPRESSIONS;
  // An attempt without a response may have moved everything; then nothing was left to move.
  const isMoved = body.events_moved === moved || (!isClean && body.events_moved === 0);
  if (!body.merged || !isMoved)
    expected.complaints.push(`link of ${anonymousId}: ${JSON.stringify(body)}, expected ${moved} events`);
  person.devices.push(anonymousId);
  for (const event of history) recordEvent(expected, { ...event, user: { user_id: person.userId } });
}

async function remove(
  { expected, sender, targets }: ScenarioDeps,
  person: ExpectedPerson,
  history: readonly SentEvent[],
): Promise<void> {
  const { body, isClean } = await sender.write<{ deleted: boolean }>(targets.main, {
    method: 'POST',
    path: '/users/delete',
    body: { user: { user_id: person.userId } },
  });
  if (isClean && !body.deleted) expected.complaints.push(`delete of ${person.userId}: answered that nobody is known`);
  person.isDeleted = true;
  if (await sender.read(targets.main, `/users/profile?user_id=${person.userId}`))
    expected.complaints.push(`the profile of ${person.userId} can still be read after its deletion`);
  for (const event of history) {
    const kind = KINDS.get(event.type);
    if (kind === 'impression') recordEvent(expected, event);
    else expected.addTotal(event.item, event.type, kind === 'fact' ? null : (event.value ?? 1));
  }
}

/** Returns facts, a `max`, two states and an impression: one row per item and type besides facts, easy to count. */
function historyOf(deps: ScenarioDeps, anonymousId: string, random: Random): SentEvent[] {
  const [item, other] = [deps.baseItems[0] ?? '', deps.baseItems[1] ?? ''];
  const event = (suffix: string, type: string, about: string, value?: number): SentEvent => ({
    id: `${anonymousId}-${suffix}`,
    type,
    item: about,
    user: { anonymous_id: anonymousId },
    occurred_at: deps.occurrence(),
    ...(value !== undefined && { value }),
  });
  const facts = Array.from({ length: FACTS }, (_, index) =>
    event(`f${index}`, index % 2 === 0 ? 'open' : 'share', random.pick(deps.baseItems)),
  );
  return [
    ...facts,
    event('view', 'view', item, random.below(101)),
    event('like', 'like', item, random.percent(50) ? 1 : 0),
    event('favourite', 'favourite', other, 1),
    event('shown', 'impression', item),
  ];
}
