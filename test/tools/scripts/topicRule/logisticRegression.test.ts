/** The fit of the rule for topics, compared with values worked out by hand or with what holds at the best weights. */
import { describe, expect, it } from '@jest/globals';
import { chanceOf, fitLogistic, type Example } from '../../../../tools/scripts/topicRule/logisticRegression.ts';

const times = (count: number, inputs: readonly number[], isTrue: boolean): Example[] =>
  Array.from({ length: count }, () => ({ inputs, isTrue }));

describe('chanceOf', () => {
  it('is a half where nothing speaks for or against', () => {
    expect(chanceOf({ bias: 0, weights: [] }, [])).toBe(0.5);
    expect(chanceOf({ bias: 0, weights: [3, -2] }, [0, 0])).toBe(0.5);
  });

  it('turns odds into a likelihood: the logarithm of 3 to 1 into three quarters, of 1 to 3 into a quarter', () => {
    expect(chanceOf({ bias: Math.log(3), weights: [] }, [])).toBeCloseTo(3 / 4, 12);
    expect(chanceOf({ bias: -Math.log(3), weights: [] }, [])).toBeCloseTo(1 / 4, 12);
  });

  it('multiplies each input by the weight of its own place', () => {
    const model = { bias: 0, weights: [Math.log(2), Math.log(5)] };
    expect(chanceOf(model, [1, 0])).toBeCloseTo(2 / 3, 12);
    expect(chanceOf(model, [0, 1])).toBeCloseTo(5 / 6, 12);
    expect(chanceOf(model, [2, 1])).toBeCloseTo(20 / 21, 12);
  });

  it('rises with an input of positive weight, and falls with one of negative weight', () => {
    const model = { bias: 0.3, weights: [1, -1] };
    expect(chanceOf(model, [2, 0])).toBeGreaterThan(chanceOf(model, [1, 0]));
    expect(chanceOf(model, [0, 2])).toBeLessThan(chanceOf(model, [0, 1]));
  });

  it('stays a likelihood where the evidence is overwhelming', () => {
    expect(chanceOf({ bias: 0, weights: [1] }, [10_000])).toBe(1);
    expect(chanceOf({ bias: 0, weights: [1] }, [-10_000])).toBe(0);
  });
});

describe('fitLogistic', () => {
  it('gives even odds without examples', () => {
    const model = fitLogistic([]);
    expect(model).toEqual({ bias: 0, weights: [] });
    expect(chanceOf(model, [])).toBe(0.5);
  });

  it('gives the share of true examples if the examples have no inputs', () => {
    const model = fitLogistic([...times(30, [], true), ...times(10, [], false)]);
    expect(model.bias).toBeCloseTo(Math.log(3), 6);
    expect(model.weights).toEqual([]);
  });

  it('finds the weights by which many examples were made, each in its place', () => {
    // Odds 1 to 4 without either, 1 to 1 with the first, 1 to 9 with the second.
    const examples = [
      ...times(2_000, [0, 0], true),
      ...times(8_000, [0, 0], false),
      ...times(5_000, [1, 0], true),
      ...times(5_000, [1, 0], false),
      ...times(1_000, [0, 1], true),
      ...times(9_000, [0, 1], false),
    ];
    const { bias, weights } = fitLogistic(examples);
    expect(bias).toBeCloseTo(-Math.log(4), 2);
    expect(weights[0]).toBeCloseTo(Math.log(4), 2);
    expect(weights[1]).toBeCloseTo(Math.log(4 / 9), 2);
  });

  it('leaves no better weights: the residuals balance the penalty', () => {
    const examples = Array.from({ length: 60 }, (_, at): Example => {
      const inputs = [at % 7, (at * 5) % 11, at % 2];
      return { inputs, isTrue: (at * at) % 13 < 5 };
    });
    const model = fitLogistic(examples);
    const rests = examples.map(({ inputs, isTrue }) => (isTrue ? 1 : 0) - chanceOf(model, inputs));
    const along = (place: number): number =>
      examples.reduce((sum, { inputs }, at) => sum + (rests[at] ?? 0) * (inputs[place] ?? 0), 0);
    // The bias carries no penalty, so the residuals add up to zero.
    expect(rests.reduce((sum, rest) => sum + rest, 0)).toBeCloseTo(0, 6);
    expect([0, 1, 2].map(along)).toEqual(model.weights.map((weight) => expect.closeTo(weight, 6)));
  });

  it('gives finite weights to examples that an input separates, and none to an input that never varies', () => {
    const { bias, weights } = fitLogistic([...times(20, [1, 0], true), ...times(20, [-1, 0], false)]);
    expect(weights[0]).toBeGreaterThan(1);
    expect(weights[0]).toBeLessThan(10);
    expect(weights[1]).toBeCloseTo(0, 9);
    expect(bias).toBeCloseTo(0, 6);
  });
});
