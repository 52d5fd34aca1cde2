import { describe, expect, it } from '@jest/globals';
import { memoise } from '../../../../loops/ingest/enrich/lru.ts';

describe('memoise', () => {
  it('computes a value once, and again only after it was dropped as the least recently used', () => {
    const computed: string[] = [];
    const length = memoise(2, (text) => {
      computed.push(text);
      return { length: text.length };
    });
    expect([length('a'), length('bb'), length('a')]).toEqual([{ length: 1 }, { length: 2 }, { length: 1 }]);
    expect(computed).toEqual(['a', 'bb']);
    length('ccc');
    length('a');
    expect(computed).toEqual(['a', 'bb', 'ccc']);
    length('bb');
    expect(computed).toEqual(['a', 'bb', 'ccc', 'bb']);
  });

  it('does not keep a failed computation', () => {
    let isAble = false;
    const length = memoise(2, (text) => (isAble ? { length: text.length } : null));
    expect(length('a')).toBeNull();
    isAble = true;
    expect(length('a')).toEqual({ length: 1 });
  });
});
