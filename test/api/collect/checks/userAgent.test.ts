import type { Context } from 'koa';
import { expect, it } from '@jest/globals';
import { userAgentOf } from '../../../../api/collect/checks/userAgent.ts';

const cleaned = (userAgent: string): string =>
  userAgentOf({ req: { headers: { 'user-agent': userAgent } } } as Context);

it('an e-mail address in a user agent is removed, even where the length limit cuts it off', () => {
  expect(cleaned('Crawler (jane.doe@example.org)')).toBe('Crawler ([email])');
  const long = cleaned(`${'Crawler '.repeat(200).slice(0, 988)} jane.doe@example.org`);
  expect([long.length <= 1_000, long.includes('jane')]).toEqual([true, false]);
});
