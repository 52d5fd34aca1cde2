import { beforeEach, describe, expect, it } from '@jest/globals';
import { stageOutput } from './support/outputStage.ts';

const stage = stageOutput();

const PATHS = {
  feed: {},
  'similar to an item of its author': { item: 'old' },
  'next after an item of its author': { item: 'old' },
  popular: {},
  together: { items: ['old'] },
};

async function idsOn(name: string, body: object): Promise<string[]> {
  const [path = ''] = name.split(' ');
  const answer = await stage.call('POST', `/recommendations/${path}`, { exploration: 0, ...body });
  expect([answer.status, answer.body.mode]).toEqual([200, expect.not.stringMatching('fallback')]);
  return answer.body.items.map(({ id }: { id: string }) => id);
}

beforeEach(async () => {
  await stage.call('PUT', '/items/old', { type: 'text', title: 'Трамваи', author: 'a-1' });
  await stage.call('PUT', '/items/gone', { type: 'text', title: 'Автобусы', author: 'a-1', available: false });
  await stage.followed();
});

describe('the next request after a write', () => {
  // proves: output-shown/appears-at-once, output-shown/queued
  it.each(Object.entries(PATHS))('shows a new item, before its analysis: %s', async (name, body) => {
    await idsOn(name, body);
    await stage.call('PUT', '/items/new', { type: 'text', title: 'Метро', author: 'a-1' });
    expect(await idsOn(name, body)).toContain('new');
  });

  // proves: output-shown/appears-at-once
  it.each(Object.entries(PATHS))('shows an item that is available again: %s', async (name, body) => {
    expect(await idsOn(name, body)).not.toContain('gone');
    await stage.call('PATCH', '/items/gone', { available: true });
    expect(await idsOn(name, body)).toContain('gone');
  });

  // proves: output-shown/appears-at-once
  it('explains an item that has changed by its new values', async () => {
    const feed = { user: { user_id: 'u-1' }, exploration: 0 };
    await stage.call('POST', '/users/profile', { user: { user_id: 'u-1' }, followed_authors: ['a-2'] });
    await idsOn('feed', feed);
    await stage.call('PATCH', '/items/old', { author: 'a-2' });
    const { body } = await stage.call('POST', '/recommendations/feed', feed);
    expect(body.items.find(({ id }: { id: string }) => id === 'old').reason).toEqual({ code: 'author', value: 'a-2' });
  });
});
