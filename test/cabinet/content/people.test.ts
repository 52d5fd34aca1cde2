/** Events as they arrive, and the people behind them. */
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { createTestUser, type Person } from '../../api/support/people.ts';
import { clientOf, createTestProject, type Client, type TestProject } from '../../api/support/testApi.ts';
import { addItems } from '../../support/people/events.ts';
import { expectAddress, expectVisible, stageCabinet } from '../support/stage.ts';

const stage = stageCabinet();
let project: TestProject;
let owner: Person;
let viewer: Person;
let call: Client;
let count = 0;

beforeEach(async () => {
  const { pool } = stage.database;
  project = await createTestProject(pool);
  owner = await createTestUser(pool, 'owner', { projects: [project.id] });
  viewer = await createTestUser(pool, 'viewer', { projects: [project.id] });
  call = clientOf(stage.api.content, project.key);
  await addItems(pool, project.id, ['lesson', 'other/1']);
});

const send = (...events: object[]) =>
  call('POST', '/events', {
    events: events.map((event) => ({
      id: `e-${++count}`,
      type: 'open',
      item: 'lesson',
      user: { user_id: 'anna/1' },
      ...event,
    })),
  });
const open = (path: string, person = owner): Promise<Page> => stage.open(`/p/${project.id}${path}`, person);
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

describe('events', () => {
  it('appear automatically, including rejected ones with their reason', async () => {
    const page = await open('/events');
    await expectVisible(page.getByText('No events yet'));
    await send({ surface: 'feed', position: 3 }, { type: 'like', value: 1 }, { item: 'nothing' });
    await expectVisible(page.getByRole('row', { name: /Open.*Accepted.*lesson.*anna\/1.*on feed · position 4/ }));
    await expectVisible(page.getByRole('row', { name: /Like.*Accepted/ }));
    await expectVisible(page.getByRole('row', { name: /Rejected.*No such item.*nothing/ }));
  });

  it('are filtered by outcome, type, person and item, in the address', async () => {
    await send({}, { type: 'share', item: 'other/1', user: { anonymous_id: 'device' } }, { type: 'nothing' });
    const page = await open('/events?outcome=rejected');
    await expectVisible(page.getByText('No such event type'));
    expect(await page.getByRole('row').count()).toBe(2);
    await page.getByRole('button', { name: /Outcome$/ }).click();
    await page.getByRole('option', { name: 'Any outcome' }).click();
    await expectVisible(page.getByRole('row', { name: /share/ }));
    await page.getByRole('searchbox', { name: 'Person’s identifier' }).fill('device');
    await page.keyboard.press('Enter');
    await expectAddress(page, /user=device/);
    // Until the answer arrives, this row is one of several.
    await expectVisible(page.locator('tbody tr:only-child', { hasText: /share.*Accepted.*other\/1/ }));
    await page.goto(`${stage.url}/p/${project.id}/events?item=lesson&type=share`);
    await expectVisible(page.getByText('No events match'));
    await button(page, 'Show all').click();
    await expectVisible(page.getByRole('row', { name: /share/ }));
  });

  it('stay when the next request fails', async () => {
    await send({});
    const page = await open('/events');
    await expectVisible(page.getByRole('row', { name: /lesson/ }));
    stage.allow(/Failed to load resource.*500/);
    await page.route('**/events/latest*', (route) =>
      route.fulfill({
        status: 500,
        json: { error: { code: 'internal', message: '' } },
      }),
    );
    await expectVisible(page.getByText('The server had an error.'));
    await expectVisible(page.getByRole('row', { name: /lesson/ }));
  });
});

describe('a person', () => {
  it('is found by an identifier, with profile, devices, history and orders', async () => {
    await call('POST', '/users/profile', { user: { user_id: 'anna/1' }, city: 'Kazan', hidden_authors: ['boris'] });
    await send({}, { type: 'share' }, { user: { anonymous_id: 'device' } }, { item: 'nothing' });
    await call('POST', '/users/link', { user_id: 'anna/1', anonymous_id: 'device' });
    await call('POST', '/orders', {
      order_id: 'o-1',
      user: { user_id: 'anna/1' },
      items: [{ item: 'lesson', price: 5 }],
    });
    const page = await open('/users');
    await page.getByRole('searchbox', { name: 'Identifier' }).fill('anna/1');
    await page.keyboard.press('Enter');
    await expectVisible(page.getByRole('heading', { name: 'anna/1' }));
    const part = (name: string) => page.getByRole('region', { name, exact: true });
    await expectVisible(part('Identifiers').getByText('device', { exact: true }));
    await expectVisible(part('Profile').getByText('kazan'));
    await expectVisible(part('What they did').getByText('Share'));
    await expectVisible(part('What recommendations are based on').getByText('boris'));
    await expectVisible(part('Orders').getByText('o-1'));
    await expectVisible(part('Rejected in the last day').getByText('No such item'));
    await page.getByRole('link', { name: 'Open the lab as this person' }).click();
    await expectAddress(page, /lab\?user=anna%2F1&kind=user_id/);
  });

  it('is reported as unknown if nobody has the identifier', async () => {
    stage.allow(/Failed to load resource.*404/);
    const page = await open('/users/nobody');
    await expectVisible(page.getByText('Nobody is known by this identifier'));
  });

  it('is deleted at once, after a confirmation', async () => {
    await send({});
    const page = await open('/users');
    await page.getByRole('link', { name: 'anna/1' }).click();
    await button(page, 'Delete the person').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete the person' }).click();
    await expectAddress(page, `${stage.url}/p/${project.id}/users`);
    await expectVisible(page.getByText('Nobody has sent an event yet.'));
  });

  it('cannot be deleted by viewers, who are told why', async () => {
    await send({});
    const page = await open('/users/anna%2F1', viewer);
    await expectVisible(page.getByText('Only owners and administrators can do this.'));
    expect(await button(page, 'Delete the person').isDisabled()).toBe(true);
  });
});
