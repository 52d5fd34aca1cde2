/** The page of an item: its video plays, and the transcript and frames follow it and link to its moments. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { createTestUser, type Person } from '../../api/support/people.ts';
import { createTestProject, type TestProject } from '../../api/support/testApi.ts';
import { addWebhook, recordEvent } from '../../support/webhooks/webhooks.ts';
import { storeAttempts } from '../support/deliveries.ts';
import { CHAPTERS, SEGMENTS, storeLesson } from '../support/samples/lesson.ts';
import { startMediaHost, VIDEO_SECONDS, type MediaHost } from '../support/media.ts';
import { expectTrue, expectVisible, stageCabinet } from '../support/stage.ts';

const stage = stageCabinet({ ALLOW_HTTP_MEDIA: 'true', ALLOW_NETWORKS: '127.0.0.1/32' });
let host: MediaHost;
let project: TestProject;
let owner: Person;
let viewer: Person;

beforeAll(async () => {
  host = await startMediaHost();
  const { pool } = stage.database;
  project = await createTestProject(pool);
  owner = await createTestUser(pool, 'owner', { projects: [project.id] });
  viewer = await createTestUser(pool, 'viewer', { projects: [project.id] });
  await storeLesson(stage.api, project.id, { id: 'lesson', title: 'How a tram moves', videoUrl: host.videoUrl });
});
afterAll(() => host?.close());

const openLesson = async (person: Person = owner): Promise<Page> => {
  const page = await stage.open(`/p/${project.id}/items/lesson`, person);
  await expectTrue(page, 'document.querySelector("video")?.readyState >= 2');
  return page;
};
/** Playback goes on after a jump; at the lowest speed, the position has hardly changed when a test looks. */
const setSpeed = (page: Page, speed: number): Promise<unknown> =>
  page.evaluate(`document.querySelector("video").playbackRate = ${speed}`);
const LOWEST_SPEED = 0.0625;
const currentText = (page: Page): Promise<string> => page.locator('[aria-current=true]').innerText();

describe('the page of a lesson', () => {
  it('plays its video from the same origin', async () => {
    const page = await openLesson();
    const src = await page.evaluate('document.querySelector("video").currentSrc');
    expect(src).toContain(`${new URL(stage.url).origin}/media/original/`);
    expect(await page.evaluate('document.querySelector("video").duration')).toBeCloseTo(VIDEO_SECONDS, 0);
    await page.evaluate('document.querySelector("video").play()');
    await expectTrue(page, 'document.querySelector("video").currentTime > 0.5');
  });

  it('highlights what is being said, and jumps to the moment that is clicked', async () => {
    const page = await openLesson();
    expect(await currentText(page)).toContain(SEGMENTS[0]?.text);
    await setSpeed(page, LOWEST_SPEED);
    await page.getByRole('button', { name: SEGMENTS[2]?.text ?? '' }).click();
    await expectTrue(page, 'document.querySelector("video").currentTime >= 6');
    expect(await currentText(page)).toContain(SEGMENTS[2]?.text);
    await setSpeed(page, 1);
    // The highlight advances with the playback.
    await expectTrue(page, `document.querySelector('[aria-current=true]')?.textContent.includes('The tram stops')`);
  });

  it('highlights the chapter that is playing, and jumps to the beginning of another', async () => {
    const page = await openLesson();
    const chapters = page.getByRole('region', { name: 'Chapters' });
    const marked = chapters.locator('[aria-current=location]');
    expect(await marked.innerText()).toContain(CHAPTERS[0]?.title);
    await setSpeed(page, LOWEST_SPEED);
    await chapters.getByRole('button', { name: CHAPTERS[1]?.title ?? '' }).click();
    await expectTrue(page, 'document.querySelector("video").currentTime >= 6');
    expect(await marked.innerText()).toContain(CHAPTERS[1]?.title);
  });

  it('jumps to the moment of a frame with only the keyboard', async () => {
    const page = await openLesson();
    const frame = page.getByRole('button', { name: 'A picture at 8' });
    await frame.focus();
    await page.keyboard.press('Enter');
    await expectTrue(page, 'document.querySelector("video").currentTime >= 8');
  });

  it('lets an owner rerun the analysis and shows that it is in progress', async () => {
    const page = await openLesson();
    await page.getByRole('button', { name: 'Analyse again' }).click();
    await expectVisible(page.getByText('The analysis is queued again.'));
    await expectVisible(
      page
        .getByText('Queued', { exact: true })
        .or(page.getByText('In progress', { exact: true }))
        .first(),
    );
    await page.close(); // it polls the item, whose frames have no files while it is stored again
    await storeLesson(stage.api, project.id, { id: 'lesson', title: 'How a tram moves', videoUrl: host.videoUrl });
  });

  it('tells a viewer why a new analysis is not allowed', async () => {
    const page = await openLesson(viewer);
    expect(await page.getByRole('button', { name: 'Analyse again' }).isDisabled()).toBe(true);
    await expectVisible(page.getByText('Only owners and administrators can do this.'));
  });

  it('shows the latest deliveries about it, each with its state and a link', async () => {
    const { pool } = stage.database;
    const deliveries = (page: Page) => page.getByRole('region', { name: 'Deliveries' });
    const page = await openLesson();
    await expectVisible(deliveries(page).getByText('this project has no webhook'));
    const webhook = await addWebhook(pool, project.id, 'https://hooks.example.com/attune');
    for (let count = 0; count < 6; count++) await recordEvent(pool, project.id, 'lesson');
    await storeAttempts(pool, webhook, 'lesson', 2);
    await expectVisible(deliveries(page).getByText('Will be tried again').nth(4));
    await expectVisible(
      deliveries(page)
        .getByText(/^Answered 503.*Next attempt/)
        .first(),
    );
    expect(await deliveries(page).getByRole('link', { name: 'Item analysed' }).count()).toBe(5);
    await expectVisible(deliveries(page).getByRole('link', { name: 'hooks.example.com' }));
    await deliveries(page).getByRole('link', { name: 'Item analysed' }).first().click();
    await expectVisible(page.getByRole('heading', { name: 'Attempts' }));
  });

  it('says so when the video cannot be played', async () => {
    stage.allow(/Failed to load resource/);
    const videoUrl = 'http://127.0.0.1:9/gone.webm';
    await storeLesson(stage.api, project.id, { id: 'gone', title: 'A video that is gone', videoUrl });
    const page = await stage.open(`/p/${project.id}/items/gone`, owner);
    await expectVisible(page.getByText('This medium cannot be played'));
  });

  it('says that the item does not exist', async () => {
    stage.allow(/Failed to load resource.*404/);
    const page = await stage.open(`/p/${project.id}/items/nothing`, owner);
    await expectVisible(page.getByText('There is nothing here, or you do not have access to it.'));
    await expectVisible(page.getByText('not_found'));
  });
});
