import { describe, expect, it } from '@jest/globals';
import { isUsableCorrection } from '../../../../providers/openai/chat/answerLanguage.ts';

const ENGLISH = [
  'The tram leaves the depot early in the morning and crosses the whole city before it returns.',
  'The driver explains how the brakes work in winter, when there is ice on the rails.',
  null,
];

describe('a corrected answer', () => {
  it.each([
    ['zh', ['电车清晨驶离车库，穿过整座城市后返回。', '司机讲解冬天轨道结冰时刹车如何工作。', null]],
    ['ja', ['電車は早朝に車庫を出て街を横断する。', '運転士は冬のブレーキの仕組みを説明する。', null]],
    ['ko', ['전차는 이른 아침 차고를 떠나 도시를 가로지른다.', '기관사는 겨울철 제동 방식을 설명한다.', null]],
  ])('is accepted in %s, which needs fewer characters', (language, after) => {
    expect(isUsableCorrection(language, ENGLISH, after)).toBe(true);
  });

  it.each([
    ['has lost its texts', ['', ' ', null]],
    ['has fewer entries', ['电车清晨驶离车库，穿过整座城市后返回。']],
    ['is still in the other language', ENGLISH],
  ])('is not accepted if it %s', (_, after) => {
    expect(isUsableCorrection('zh', ENGLISH, after)).toBe(false);
  });
});
