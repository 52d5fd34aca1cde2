/** The rule by which topics of short texts are accepted. Likelihoods are worked out by hand from the rule's weights. */
import { describe, expect, it } from '@jest/globals';
import { topics } from '../../../../domain/dictionaries/interests.ts';
import { topicWords } from '../../../../domain/dictionaries/topicWords.ts';
import { topicProbabilities, featuresOf } from '../../../../providers/builtin/topics/topicProbability.ts';
import type { Scored } from '../../../../providers/builtin/topics/topicWordings.ts';
import { chooseLikely, MIN_PROBABILITY, topicsFrom } from '../../../../providers/builtin/topics/topics.ts';

/** Words found in a text, as [id of the topic, their weight, number of different ones]. */
function found(...all: [id: string, score: number, wordings: number][]): Map<string, Scored> {
  return new Map(
    all.flatMap(([id, score, wordings]) => {
      const topic = topics.get(id);
      return topic === undefined ? [] : [[id, { topic, score, wordings }] as const];
    }),
  );
}

const NONE: ReadonlyMap<string, Scored> = new Map();
/** One topic stands out among four: √3 standard deviations above their mean, the others 1/√3 below it. */
const NEAR_CARS = new Map(Object.entries({ auto: 0.9, business: 0.1, sport: 0.1, travel: 0.1 }));

describe('featuresOf', () => {
  it('describes the evidence for a topic whose words occur', () => {
    const features = featuresOf(found(['auto', 2, 2], ['business', 1, 1]), 3, NEAR_CARS);
    expect(features.get('auto')).toEqual({
      near: expect.closeTo(Math.sqrt(3), 9),
      has: 1,
      score: 2,
      several: 1,
      share: 2 / 4,
      length: 2,
      nearLength: expect.closeTo(2 * Math.sqrt(3), 9),
      scoreLength: 4,
    });
    expect(features.get('business')).toMatchObject({
      near: expect.closeTo(-1 / Math.sqrt(3), 9),
      several: 0,
      share: 1 / 4,
      scoreLength: 2,
    });
  });

  it('has every topic, and nothing but the length for one without words or nearness', () => {
    const features = featuresOf(NONE, 7, null);
    expect([...features.keys()]).toEqual(topicWords.map(({ topic }) => topic.id));
    const empty = { near: 0, has: 0, score: 0, several: 0, share: 0, nearLength: 0, scoreLength: 0 };
    for (const one of features.values()) expect(one).toEqual({ ...empty, length: 3 });
  });

  it('counts evidence up to 5, words up to 80, and all evidence for the share', () => {
    const features = featuresOf(found(['auto', 9, 4]), 10_000, null);
    expect(features.get('auto')).toMatchObject({ score: 5, share: 9 / 10, length: Math.log2(81) });
    expect(featuresOf(NONE, 80, null).get('auto')?.length).toBe(Math.log2(81));
    expect(featuresOf(NONE, 79, null).get('auto')?.length).toBe(Math.log2(80));
  });

  it('measures nearness on the scale of the topics that are not narrow, to which the rule is fitted', () => {
    const nearness = new Map([...NEAR_CARS, ['auto-used', 0.9], ['sport-biathlon', 0.1]]);
    const features = featuresOf(NONE, 3, nearness);
    expect(features.get('auto')?.near).toBeCloseTo(Math.sqrt(3), 9);
    expect(features.get('auto-used')?.near).toBeCloseTo(Math.sqrt(3), 9);
    expect(features.get('sport-biathlon')?.near).toBeCloseTo(-1 / Math.sqrt(3), 9);
  });

  it('is finite for an empty text, and where no topic is nearer than another', () => {
    const same = new Map(topicWords.map(({ topic }) => [topic.id, 0.4] as const));
    for (const nearness of [null, new Map<string, number>(), same])
      for (const one of featuresOf(NONE, 0, nearness).values())
        expect(Object.values(one)).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
  });
});

describe('topicProbabilities', () => {
  it('follows the rule of words where the nearness is unknown', () => {
    // −4.108 + 2.045 + 1.453 + 1.553 ÷ 2 − 0.072 × 2 − 0.133 × 2 = −0.2435
    expect(topicProbabilities(found(['auto', 1, 1]), 3, null).get('auto')).toBeCloseTo(0.439424, 6);
    // −4.108 + 2.045 + 1.453 × 2 + 1.38 + 1.553 ÷ 2 − 0.072 × 2 − 0.133 × 4 = 2.3235
    expect(topicProbabilities(found(['auto', 2, 2], ['business', 1, 1]), 3, null).get('auto')).toBeCloseTo(0.910805, 6);
  });

  it('follows the rule of words and nearness where both are known', () => {
    const probabilities = topicProbabilities(found(['auto', 2, 2], ['business', 1, 1]), 3, NEAR_CARS);
    // −4.184 + 0.381√3 + 1.082 + 1.291 × 2 + 0.448 + 0.546 ÷ 2 − 0.131 × 2 + 0.106 × 2√3 − 0.132 × 4 = 0.4381
    expect(probabilities.get('auto')).toBeCloseTo(0.607808, 6);
    // −4.184 − 0.381 ÷ √3 + 1.082 + 1.291 + 0.546 ÷ 4 − 0.131 × 2 − 0.106 × 2 ÷ √3 − 0.132 × 2 = −2.5429
    expect(probabilities.get('business')).toBeCloseTo(0.072907, 6);
  });

  it('has no topic without a word in the text, however near', () => {
    expect(topicProbabilities(NONE, 0, null)).toEqual(new Map());
    expect(topicProbabilities(NONE, 3, NEAR_CARS)).toEqual(new Map());
    expect([...topicProbabilities(found(['sport', 1, 1]), 3, NEAR_CARS).keys()]).toEqual(['sport']);
  });

  it.each([
    ['more evidence', found(['auto', 2, 1]), found(['auto', 1, 1])],
    ['a second word', found(['auto', 1, 2]), found(['auto', 1, 1])],
    ['no other topic beside it', found(['auto', 1, 1]), found(['auto', 1, 1], ['sport', 3, 2])],
  ])('is more certain with %s, by either rule', (_, more, less) => {
    for (const nearness of [null, NEAR_CARS])
      expect(topicProbabilities(more, 8, nearness).get('auto')).toBeGreaterThan(
        topicProbabilities(less, 8, nearness).get('auto') ?? 1,
      );
  });

  it('is more certain of a nearer topic, and less certain of the same word in a longer text', () => {
    const cars = found(['auto', 1, 1]);
    const near = topicProbabilities(cars, 8, NEAR_CARS).get('auto');
    expect(near).toBeGreaterThan(topicProbabilities(cars, 8, new Map([...NEAR_CARS, ['auto', -0.9]])).get('auto') ?? 1);
    for (const nearness of [null, new Map<string, number>()])
      expect(topicProbabilities(cars, 4, nearness).get('auto')).toBeGreaterThan(
        topicProbabilities(cars, 24, nearness).get('auto') ?? 1,
      );
  });
});

describe('chooseLikely', () => {
  it('chooses a topic that is as likely right as wrong, and none below that', () => {
    expect(MIN_PROBABILITY).toBe(0.5);
    expect(chooseLikely(new Map([['auto', 0.5]]))).toEqual(['auto']);
    expect(chooseLikely(new Map([['auto', 0.499_999]]))).toEqual([]);
    expect(chooseLikely(new Map())).toEqual([]);
  });

  it('chooses the two likeliest, best first, equal ones by id, and the parent of the best', () => {
    const probabilities = { sport: 0.7, 'auto-repair': 0.9, travel: 0.6, 'auto-parts': 0.2 };
    expect(chooseLikely(new Map(Object.entries(probabilities)))).toEqual(['auto-repair', 'sport', 'auto']);
    expect(chooseLikely(new Map(Object.entries({ travel: 0.8, sport: 0.8, auto: 0.8 })))).toEqual(['auto', 'sport']);
  });

  it('never chooses a vague topic, as itself or as a parent', () => {
    expect(chooseLikely(new Map(Object.entries({ news: 1, 'business-startups': 0.6 })))).toEqual(['business-startups']);
  });
});

describe('topicsFrom', () => {
  const near = new Map(Object.entries({ 'sport-biathlon': 0.6, 'sport-skiing': 0.58, sport: 0.4 }));
  const race =
    'The relay was decided on the last hill, when the leader fell behind and two others passed her with forty ' +
    'seconds to go. Nobody in the stadium had expected that, and the coach could only shake his head.';

  it('gives a text a narrow topic that it names', () => {
    const zones = [{ kind: 'body' as const, text: `${race} The biathlete apologised.`, weight: 1 }];
    expect(topicsFrom(zones, 'en', near)).toEqual(['Biathlon', 'Skiing', 'Sport']);
  });

  it('gives no narrow topic to a text that is only near to it', () => {
    expect(topicsFrom([{ kind: 'body', text: race, weight: 1 }], 'en', near)).toEqual(['Skiing', 'Sport']);
  });

  it('gives no topic to an empty text', () => {
    for (const nearness of [null, new Map<string, number>(), NEAR_CARS]) {
      expect(topicsFrom([], 'en', nearness)).toEqual([]);
      expect(topicsFrom([{ kind: 'body', text: '', weight: 1 }], 'ru', nearness)).toEqual([]);
    }
  });
});
