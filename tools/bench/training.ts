/**
 * `npm run bench:training` measures the processor time of a training with a million events and 10,000 items, of one of
 * half the size, and of an update after one percent of new events. The time covers everything except reading the
 * tables, in one thread, as in the worker. `-- --items 2000 --events 100000` measures another size; it prints the
 * figures and writes nothing.
 */
import { parseArgs } from 'node:util';
import type { SolvedPart } from '../../domain/training/trainingMessages.ts';
import { decodeModel, encodeModel } from '../../output/models/modelFile.ts';
import { arrangeEvents } from '../../output/training/rows/arrangeEvents.ts';
import { chooseHyperparameters } from '../../output/training/evaluate/chooseHyperparameters.ts';
import { EventColumns, type RawEvents } from '../../output/training/rows/eventColumns.ts';
import type { Interactions } from '../../output/training/rows/interactions.ts';
import type { TrainingSettings } from '../../output/training/evaluate/hyperparameters.ts';
import { assembleModel, evidenceFor, plannedColumns, solveColumns } from '../../output/training/training.ts';
import { printFigures, type Figure } from '../load/figures.ts';
import { plantedEvents } from '../../test/support/people/plantedEvents.ts';
import { report } from './support/report.ts';

const { values } = parseArgs({ options: { items: { type: 'string' }, events: { type: 'string' } } });
const EVENTS_OF_PERSON = 50;
const NEW_SHARE = 0.01;

const figures: Figure[] = [];
/** Runs a step and records its processor time. */
function timed<T>(name: string, step: () => T): { seconds: number; result: T } {
  const before = process.cpuUsage();
  const result = step();
  const { user, system } = process.cpuUsage(before);
  const seconds = (user + system) / 1e6;
  figures.push({ name, value: Number(seconds.toFixed(2)), unit: 's', aim: null });
  return { seconds, result };
}

function rawEvents(items: number, events: number, seed: number): RawEvents {
  const columns = new EventColumns();
  const people = Math.ceil(events / EVENTS_OF_PERSON);
  const planting = { people, items, events: EVENTS_OF_PERSON, groups: 50, days: 120, seed };
  for (const event of plantedEvents(planting)) columns.add({ ...event, weight: 1, orderId: null });
  return columns.take();
}

/** Adds one percent of other events by the same people. */
function withNew(raw: RawEvents, more: RawEvents): RawEvents {
  const count = Math.floor(raw.items.length * NEW_SHARE);
  const numbers = new Map(raw.ids.map((id, number) => [id, number]));
  const people = Float64Array.from([...raw.people, ...more.people.subarray(0, count)]);
  const items = [...more.items.subarray(0, count)].map((item) => numbers.get(more.ids[item] ?? '') ?? 0);
  return {
    ids: raw.ids,
    people,
    times: Float64Array.from([...raw.times, ...more.times.subarray(0, count)]),
    items: Uint32Array.from([...raw.items, ...items]),
    baskets: new Uint32Array(people.length),
    weights: new Float32Array(people.length).fill(1),
  };
}

type Targets = Record<SolvedPart, Uint32Array>;

function solved(name: string, data: Interactions, settings: TrainingSettings, targets: Targets) {
  const solve = (part: SolvedPart) =>
    timed(`${name}: ${part}, ${targets[part].length} columns`, () => [
      solveColumns(evidenceFor(data, part, settings), targets[part], settings[part]),
    ]);
  const [taste, transition] = [solve('taste'), solve('transition')];
  return {
    seconds: taste.seconds + transition.seconds,
    columns: { taste: taste.result, transition: transition.result },
  };
}

function measure(items: number, events: number): { full: number; changes: number } {
  const name = `${items} items, ${events} events`;
  const raw = rawEvents(items, events, 1);
  const arranged = timed(`${name}: arranging`, () => arrangeEvents(raw, new Set(), Infinity));
  const data = arranged.result;
  const reference = Math.floor(Date.UTC(2027, 0, 1) / 1000);
  const chosen = timed(`${name}: choosing settings`, () =>
    chooseHyperparameters(data, { sampleOf: 1, reference, published: null }),
  );
  const settings = chosen.result?.settings;
  if (!settings) throw new Error('no settings were chosen');
  const all = Uint32Array.from(data.ids, (_, item) => item);
  const { seconds, columns } = solved(name, data, settings, { taste: all, transition: all });
  const made = timed(`${name}: model file`, () =>
    encodeModel(assembleModel({ id: 'full', data, settings, solved: columns, published: null })),
  );
  figures.push({ name: `${name}: size`, value: Math.round(made.result.length / 1e6), unit: 'MB', aim: null });

  const later = withNew(raw, rawEvents(items, Math.ceil(events / 50), 2));
  const again = timed(`${name}: changes, arranging`, () => arrangeEvents(later, new Set(), Infinity));
  const planned = timed(`${name}: changes, planning`, () =>
    plannedColumns(again.result, settings, decodeModel(made.result), []),
  );
  const some = solved(`${name}: changes`, again.result, settings, planned.result);
  const updated = timed(`${name}: changes, model file`, () =>
    encodeModel(
      assembleModel({
        id: 'changes',
        data: again.result,
        settings,
        solved: some.columns,
        published: decodeModel(made.result),
      }),
    ),
  );
  return {
    full: arranged.seconds + chosen.seconds + seconds + made.seconds,
    changes: again.seconds + planned.seconds + some.seconds + updated.seconds,
  };
}

const isUsual = values.items === undefined && values.events === undefined;
const items = Number(values.items ?? 10_000);
const events = Number(values.events ?? 1_000_000);
const half = measure(items / 2, events / 2);
const whole = measure(items, events);
figures.push(
  { name: 'a full training', value: Number(whole.full.toFixed(1)), unit: 's', aim: isUsual ? '<= 180' : null },
  {
    name: 'a full training divided by one of half the size',
    value: Number((whole.full / half.full).toFixed(2)),
    unit: '×',
    aim: '<= 2.5',
  },
  { name: 'a pass over changes', value: Number(whole.changes.toFixed(1)), unit: 's', aim: null },
  {
    name: 'a pass over changes divided by a full training',
    value: Number((whole.changes / whole.full).toFixed(3)),
    unit: '×',
    aim: '<= 0.1',
  },
);
figures.push({
  name: 'memory',
  value: Math.round(process.resourceUsage().maxRSS / 1024),
  unit: 'MB',
  aim: null,
});
if (isUsual) report('training', figures);
else printFigures(figures);
