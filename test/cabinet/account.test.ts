/** A user's own account: password, second factor, tokens and sessions. */
import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { createTestUser, PASSWORD } from '../api/support/people.ts';
import { bytesOf, openAuthenticator } from '../api/support/secondFactor.ts';
import { clientOf } from '../api/support/testApi.ts';
import { violationsOf } from './support/axe.ts';
import { expectAddress, expectVisible, stageCabinet } from './support/stage.ts';

const stage = stageCabinet();
const user = () => createTestUser(stage.database.pool, 'viewer');

async function enter(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

describe('the password', () => {
  it('is changed, with each fault shown at its field, and is used to sign in from then on', async () => {
    stage.allow(/422/);
    const person = await user();
    const page = await stage.open('/account', person);
    const [current, fresh, again] = ['Current password', 'New password', 'Repeat the new password'].map((label) =>
      page.getByLabel(label, { exact: true }),
    );
    const change = page.getByRole('button', { name: 'Change the password' });
    await current?.fill('something else');
    await fresh?.fill('short');
    await change.click();
    await expectVisible(page.getByText('At least 8 characters.', { exact: true }));
    await fresh?.fill('staple battery horse');
    await again?.fill('staple battery');
    await expectVisible(page.getByText('The two passwords do not match.'));
    await again?.fill('staple battery horse');
    await change.click();
    await expectVisible(page.getByText('This is not your current password.'));
    await current?.fill(PASSWORD);
    await change.click();
    await expectVisible(page.getByText('The password has been changed.'));
    const elsewhere = await stage.open('/sign-in');
    await enter(elsewhere, person.email, 'staple battery horse');
    await expectAddress(elsewhere, `${stage.url}/`);
  });
});

describe('the second factor', () => {
  it('is switched on, requested, and switched off with a recovery code', async () => {
    stage.allow(/401|422/);
    const person = await user();
    const page = await stage.open('/account', person);
    await page.getByRole('button', { name: 'Switch on' }).click();
    await page.getByLabel('Your password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Continue' }).click();
    await expectVisible(page.getByRole('img', { name: 'QR code with the secret' }));
    expect(await violationsOf(page)).toEqual([]);
    const [shown = '', address = ''] = await page.getByRole('dialog').locator('code').allTextContents();
    expect(address).toContain(`secret=${shown}`);
    const secret = bytesOf(shown);
    await page.getByLabel('Code from the app').fill('000000');
    await page.getByRole('dialog').getByRole('button', { name: 'Switch on' }).click();
    await expectVisible(page.getByText('This code is wrong or was used before.'));
    await page.getByLabel('Code from the app').fill(openAuthenticator(secret).code());
    await page.getByRole('dialog').getByRole('button', { name: 'Switch on' }).click();
    await expectVisible(page.getByRole('dialog', { name: 'Recovery codes' }));
    const codes = ((await page.getByRole('dialog').locator('code').textContent()) ?? '').split('\n');
    expect(codes).toHaveLength(10);
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await expectVisible(page.getByText('Recovery codes left: 10'));
    const elsewhere = await stage.open('/sign-in');
    await enter(elsewhere, person.email, PASSWORD);
    await elsewhere.getByLabel('Code from your authenticator').fill(codes[0] ?? '');
    await elsewhere.getByRole('button', { name: 'Sign in' }).click();
    await expectAddress(elsewhere, `${stage.url}/`);
    await page.getByRole('button', { name: 'Switch off' }).click();
    await page.getByLabel('Your password').fill(PASSWORD);
    await page.getByLabel('Code from the app, or a recovery code').fill(codes[1] ?? '');
    await page.getByRole('dialog').getByRole('button', { name: 'Switch off' }).click();
    await expectVisible(page.getByRole('button', { name: 'Switch on' }));
  });
});

describe('a token', () => {
  it('is shown once and acts as its user until it is revoked', async () => {
    const person = await user();
    const page = await stage.open('/account', person);
    await page.getByRole('button', { name: 'New token' }).click();
    const form = page.getByRole('dialog', { name: 'New token' });
    await form.getByLabel('Name').fill('Export');
    await form.getByLabel('Days until it expires').fill('400');
    await form.getByRole('button', { name: 'New token' }).click();
    await expectVisible(form.getByText('A whole number from 1 to 365.'));
    await form.getByLabel('Days until it expires').fill('7');
    await form.getByRole('button', { name: 'New token' }).click();
    await expectVisible(page.getByText('It is shown only once.'));
    const token = (await page.getByRole('dialog').locator('code').textContent()) ?? '';
    const ask = () => clientOf(stage.api.cabinet, token)('GET', '/me');
    expect(await ask()).toMatchObject({ status: 200, body: { email: person.email } });
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByRole('button', { name: 'Revoke Export' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await expectVisible(page.getByRole('row', { name: /Export/ }).getByText('Revoked'));
    expect((await ask()).status).toBe(401);
  });
});

describe('sessions', () => {
  it('are listed, and one of them is ended', async () => {
    stage.allow(/401/);
    const person = await user();
    const elsewhere = await stage.open('/', person);
    const page = await stage.open('/account', person);
    await expectVisible(page.getByText('This device'));
    const others = page.getByRole('button', { name: /Sign out the device that signed in/ });
    await others.click();
    await others.waitFor({ state: 'detached' });
    await elsewhere.reload();
    await expectAddress(elsewhere, /\/sign-in/);
    await page.reload();
    await expectVisible(page.getByText('This device'));
  });

  it('end on all devices', async () => {
    stage.allow(/401/);
    const person = await user();
    const elsewhere = await stage.open('/', person);
    const page = await stage.open('/account', person);
    await page.getByRole('button', { name: 'Sign out on all devices' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out on all devices' }).click();
    await expectAddress(page, `${stage.url}/sign-in`);
    await elsewhere.reload();
    await expectAddress(elsewhere, /\/sign-in/);
  });
});
