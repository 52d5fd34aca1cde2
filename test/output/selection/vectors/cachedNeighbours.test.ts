import { describe, expect, it } from '@jest/globals';
import { NeighbourLists, type NeighbourList } from '../../../../output/selection/vectors/neighbourLists.ts';
import { MAX_NEIGHBOURS, Neighbours } from '../../../../output/selection/vectors/cachedNeighbours.ts';

const SUBJECT = 7;
const LEAST = 0.2;

/** Slots with consecutive numbers from 100 on. */
const falling = (count: number, from: number, to: number) =>
  Array.from({ length: count }, (_, n) => [100 + n, from + ((to - from) * n) / (count - 1)] as const);

/** One subject among slots with the given scores; it records how often its list was computed. */
class Stage {
  readonly neighbours = new Neighbours(new NeighbourLists());
  readonly scores: Map<number, number>;
  readonly asked: number[] = [];
  /** A search finds only these slots; null: it finds everything. */
  found: readonly number[] | null;

  constructor(scores: Iterable<readonly [slot: number, score: number]>, found: readonly number[] | null = null) {
    this.scores = new Map([[SUBJECT, 1], ...scores]);
    this.found = found;
  }

  /** Replaces a slot's vector. */
  move(slot: number, score: number): void {
    this.scores.set(slot, score);
    this.neighbours.changed(slot);
  }

  /** Gets the list as the catalogue does. */
  list(): NeighbourList {
    return this.find() ?? this.neighbours.make(SUBJECT, this.#scoring()).list;
  }

  find(): NeighbourList | null {
    return this.neighbours.find(SUBJECT, this.#scoring());
  }

  slots(): number[] {
    return [...this.list().slots];
  }

  #scoring() {
    return {
      minCosine: LEAST,
      score: (slot: number) => this.scores.get(slot) ?? Number.NaN,
      near: (minCosine: number, wanted: number) => {
        this.asked.push(wanted);
        const near = [...this.scores].filter(([, score]) => score >= minCosine).map(([slot]) => slot);
        const { found } = this;
        const slots = found === null ? near : near.filter((slot) => slot === SUBJECT || found.includes(slot));
        slots.sort((a, b) => a - b);
        return {
          slots: Uint32Array.from(slots),
          cosines: Float32Array.from(slots, (slot) => this.scores.get(slot) ?? 0),
          isAll: found === null,
          cost: 10,
        };
      },
    };
  }
}

const slotsFrom = (first: number, count: number) => Array.from({ length: count }, (_, n) => first + n);

describe('a list of all near items', () => {
  it('has everything but the subject, the nearest first, and no floor', () => {
    const stage = new Stage([...falling(9, 0.9, 0.3), [50, 0.8], [51, 0.1]]);
    const list = stage.list();
    expect([...list.slots]).toEqual([100, 101, 50, ...slotsFrom(102, 7)]);
    expect(list.floor).toBeNull();
  });

  it('adds what comes near, drops what goes, and is not searched again', () => {
    const stage = new Stage(falling(9, 0.9, 0.3));
    stage.list();
    stage.move(50, 0.95);
    stage.move(51, LEAST - 0.01);
    stage.move(52, LEAST + 0.01);
    stage.move(100, Number.NaN);
    stage.move(108, 0.97);
    expect(stage.slots()).toEqual([108, 50, ...slotsFrom(101, 7), 52]);
    expect([stage.list().floor, stage.asked.length]).toEqual([null, 1]);
  });

  it('may become short', () => {
    const stage = new Stage(falling(150, 0.9, 0.3));
    stage.list();
    for (const slot of slotsFrom(100, 149)) stage.move(slot, 0);
    expect([stage.slots(), stage.asked.length]).toEqual([[249], 1]);
  });

  it('gets a floor when more comes near than is kept', () => {
    const stage = new Stage(falling(MAX_NEIGHBOURS, 0.9, 0.5));
    expect(stage.list().floor).toBeNull();
    stage.move(50, 0.95);
    const { slots, scores, floor } = stage.list();
    expect([slots.length, slots[0], slots.at(-1), floor]).toEqual([
      MAX_NEIGHBOURS,
      50,
      100 + MAX_NEIGHBOURS - 2,
      scores.at(-1),
    ]);
    // The slot that found no room is forgotten, and others may be as near as that.
    stage.move(51, (floor ?? 0) - 0.0001);
    stage.move(50, 0);
    expect(stage.slots()).toEqual(slotsFrom(100, MAX_NEIGHBOURS - 1));
    expect(stage.asked).toHaveLength(1);
  });

  it('is searched again when the subject has changed', () => {
    const stage = new Stage(falling(9, 0.9, 0.3));
    stage.list();
    stage.move(SUBJECT, 1);
    expect(stage.slots()).toEqual(slotsFrom(100, 9));
    expect(stage.asked).toHaveLength(2);
  });
});

describe('a list that was cut short', () => {
  /** Sketches find `count` slots from 100 on, with scores from 0.9 down to 0.6, but not 50 and 51, though near too. */
  const cutTo = (count: number) =>
    new Stage([...falling(count, 0.9, 0.6), [50, 0.59], [51, 0.4]], slotsFrom(100, count));

  it('has the score of the last one found as its floor', () => {
    const { slots, floor } = cutTo(150).list();
    expect([slots.length, floor]).toEqual([150, Math.fround(0.6)]);
  });

  it('adds what has come above the floor, and nothing below it', () => {
    const stage = cutTo(150);
    stage.list();
    stage.move(50, 0.58);
    stage.move(51, Math.fround(0.6));
    stage.move(52, 0.601);
    stage.move(53, 0.95);
    stage.move(100, 0.3);
    expect(stage.slots()).toEqual([53, ...slotsFrom(101, 148), 52, 249]);
    expect([stage.list().floor, stage.asked.length]).toEqual([Math.fround(0.6), 1]);
  });

  it('keeps its floor when the last one goes', () => {
    const stage = cutTo(150);
    stage.list();
    stage.move(249, 0.1);
    stage.list();
    stage.move(52, 0.599);
    expect(stage.slots()).toEqual(slotsFrom(100, 149));
    expect(stage.list().floor).toBe(Math.fround(0.6));
  });

  it('has the last one kept as its floor if more was found than is kept', () => {
    const stage = cutTo(MAX_NEIGHBOURS + 100);
    const { slots, scores, floor } = stage.list();
    expect([slots.length, floor]).toEqual([MAX_NEIGHBOURS, scores.at(-1)]);
    stage.move(52, 0.61);
    expect(stage.slots()).not.toContain(52);
  });

  it('requests as many as it has to keep, plus the subject', () => {
    const stage = cutTo(150);
    stage.list();
    expect(stage.asked).toEqual([101]);
  });

  it('is built again when it has shrunk below a hundred', () => {
    const stage = cutTo(150);
    stage.list();
    for (const slot of slotsFrom(100, 50)) stage.move(slot, 0);
    expect(stage.slots()).toHaveLength(100);
    expect(stage.asked).toHaveLength(1);
    stage.move(150, 0);
    stage.found = null;
    // Slots below the floor, or never found before, are included now.
    expect(stage.slots()).toEqual([...slotsFrom(151, 99), 50, 51]);
    expect([stage.list().floor, stage.asked.length]).toEqual([null, 2]);
  });
});

describe('a list that is older than the remembered changes', () => {
  const CHANGES = 10_000;

  it('is built again, and not before', () => {
    const stage = new Stage(falling(9, 0.9, 0.3));
    stage.list();
    for (let n = 1; n < CHANGES; n += 1) stage.move(50, n % 2 === 0 ? 0.1 : 0.8);
    expect([...(stage.find()?.slots ?? [])]).toContain(50);
    const other = new Stage(falling(9, 0.9, 0.3));
    other.list();
    for (let n = 0; n < CHANGES; n += 1) other.move(50, 0.8);
    expect(other.find()).toBeNull();
    expect(other.slots()).toContain(50);
  });
});
