/**
 * The last window of a project's time: a model is trained on what was before it, and evaluated by what people met in
 * it.
 */
import { MIN_CASES } from './tooLittleData.ts';
import { at, peopleOf, wholeOf, type Cuts, type Interactions } from '../rows/interactions.ts';

/** A person on whom a model is evaluated. */
export interface Case {
  person: number;
  /** How many of the person's events are known at that moment. */
  known: number;
  /** The moment of the question, in seconds since 1970. */
  moment: number;
  /** Items that were met afterwards and never before. */
  relevant: Uint32Array;
}

export interface Window {
  /** False if the window is each person's own last part. */
  isByTime: boolean;
  /** The part of the data to train on. */
  cuts: Cuts;
  /** The beginning of the window, in seconds since 1970. */
  begin: number;
  cases: Case[];
}

const WEEK = 7 * 86_400;
/** The window is the last seven days, but at least a twentieth and at most a fifth of the events. */
const MIN_SHARE = 0.05;
const MAX_SHARE = 0.2;
const MAX_CASES = 2_000;

/**
 * Returns the window by time; where too few people return in it (a young project, or events that were sent person by
 * person), each person's last new item.
 * @param begin beginning of the window, instead of the last seven days
 * @returns null when there are fewer than {@link MIN_CASES} people to try
 */
export function lastWindow(data: Interactions, begin = beginOf(data)): Window | null {
  // A person who asks has just been active, so half of their events in the window are given as history that the model
  // was not trained on.
  const byTime = { isByTime: true, ...windowOf(data, begin, cutsBefore(data, begin), 0.5) };
  if (byTime.cases.length >= MIN_CASES) return byTime;
  return lastWindowByPerson(data, 0);
}

/**
 * Returns each person's own last part as the window.
 * @param share share of the person's events; 0 means from the last item on that the person had not met before
 * @returns null when there are fewer than {@link MIN_CASES} people to try
 */
export function lastWindowByPerson(data: Interactions, share: number): Window | null {
  const cuts = share === 0 ? cutsBeforeLast(data) : wholeOf(data).map((events) => Math.ceil(events * (1 - share)));
  const window = { isByTime: false, ...windowOf(data, latestOf(data) + 1, cuts, 0) };
  return window.cases.length >= MIN_CASES ? window : null;
}

function beginOf({ seconds }: Interactions): number {
  const sorted = seconds.slice().sort();
  const quantile = (share: number): number => sorted[Math.floor(sorted.length * (1 - share))] ?? 0;
  const last = sorted.at(-1) ?? 0;
  return Math.min(Math.max(last - WEEK, quantile(MAX_SHARE)), quantile(MIN_SHARE));
}

const latestOf = ({ seconds }: Interactions): number => seconds.reduce((latest, each) => Math.max(latest, each), 0);

export function cutsBefore({ offsets, seconds }: Interactions, moment: number): Cuts {
  return Uint32Array.from({ length: offsets.length - 1 }, (_, person) => {
    let count = 0;
    const begin = at(offsets, person);
    while (begin + count < at(offsets, person + 1) && at(seconds, begin + count) < moment) count += 1;
    return count;
  });
}

/**
 * Returns the cuts before the event with which each person met their last new item; 0 for people who met only one item.
 */
function cutsBeforeLast({ offsets, items }: Interactions): Cuts {
  const cuts = new Uint32Array(offsets.length - 1);
  for (let person = 0; person < cuts.length; person += 1) {
    const met = new Set<number>();
    const begin = at(offsets, person);
    for (let event = begin; event < at(offsets, person + 1); event += 1) {
      if (met.has(at(items, event))) continue;
      met.add(at(items, event));
      cuts[person] = event - begin;
    }
  }
  return cuts;
}

/** @param shown share of a person's events after the cut that are known when the person asks */
function windowOf(data: Interactions, begin: number, cuts: Cuts, shown: number): Omit<Window, 'isByTime'> {
  const knownToAll = knownItems(data, cuts);
  const cases: Case[] = [];
  for (let person = 0; person < peopleOf(data); person += 1) {
    const first = at(data.offsets, person);
    const cut = at(cuts, person);
    const left = at(data.offsets, person + 1) - first - cut;
    if (cut === 0 || left === 0) continue;
    const known = cut + Math.floor(left * shown);
    const relevant = wantedOf(data, person, known, knownToAll);
    if (relevant.length > 0) cases.push({ person, known, moment: at(data.seconds, first + known), relevant });
  }
  return { cuts, begin, cases: everyNth(cases, MAX_CASES) };
}

/** Returns 1 for each item that is known before the cuts; no model can find any other. */
function knownItems({ ids, offsets, items }: Interactions, cuts: Cuts): Uint8Array {
  const known = new Uint8Array(ids.length);
  for (let person = 0; person < cuts.length; person += 1) {
    const begin = at(offsets, person);
    for (let event = begin; event < begin + at(cuts, person); event += 1) known[at(items, event)] = 1;
  }
  return known;
}

function wantedOf(
  { offsets, items }: Interactions,
  person: number,
  known: number,
  knownToAll: Uint8Array,
): Uint32Array {
  const begin = at(offsets, person) + known;
  const seen = new Set(items.subarray(at(offsets, person), begin));
  const later = new Set(items.subarray(begin, at(offsets, person + 1)));
  return Uint32Array.from([...later].filter((item) => !seen.has(item) && knownToAll[item] === 1));
}

/** Returns at most `limit` elements, evenly spread. */
function everyNth<T>(all: readonly T[], limit: number): T[] {
  if (all.length <= limit) return [...all];
  return Array.from({ length: limit }, (_, index) => all[Math.floor((index * all.length) / limit)] as T);
}

/** Returns how many people met each item in the seven days before the window, as far as the cuts allow. */
export function popularity7d({ ids, offsets, items, seconds }: Interactions, { cuts, begin }: Window): Float64Array {
  const counts = new Float64Array(ids.length);
  for (let person = 0; person < cuts.length; person += 1) {
    const first = at(offsets, person);
    const met = new Set<number>();
    for (let event = first + at(cuts, person) - 1; event >= first; event -= 1) {
      if (at(seconds, event) < begin - WEEK) break;
      met.add(at(items, event));
    }
    for (const item of met) counts[item] = at(counts, item) + 1;
  }
  return counts;
}
