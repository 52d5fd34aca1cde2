/** The language that each step of the analysis is told to write in, through the real workflow. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { updateProject } from '../../db/accounts/projects.ts';
import { createFakeProviders, fakeResult } from '../support/fakeProviders.ts';
import { ItemStage } from '../support/itemStage.ts';
import { mediaItem, medium } from '../support/items.ts';
import { createTestTemporal, type TestTemporal } from '../support/temporal.ts';

let temporal: TestTemporal;
let stage: ItemStage;
/** By step: the language that its provider was given. */
let told: Record<string, string | null>;
let topics: readonly string[];

beforeAll(async () => {
  temporal = await createTestTemporal();
  stage = await ItemStage.open({ temporal });
});
beforeEach(() => {
  told = {};
  const { speech, vision, summary, ...others } = createFakeProviders();
  if (!speech || !vision || !summary) throw new Error('the fakes lack a provider');
  Object.assign(stage.providers, others, {
    speech: {
      ...speech,
      run: ({ language }: { language: string | null }) => {
        told['speech'] = language;
        return Promise.resolve(fakeResult({ language: null, timestamps: 'model', text: 'speech', segments: [] }));
      },
    },
    vision: {
      ...vision,
      run: (input: Parameters<typeof vision.run>[0], context: Parameters<typeof vision.run>[1]) => {
        told['vision'] = input.language;
        return vision.run(input, context);
      },
    },
    summary: {
      ...summary,
      run: (input: Parameters<typeof summary.run>[0], context: Parameters<typeof summary.run>[1]) => {
        told['summary'] = input.language;
        topics = input.topicsAllowed;
        return summary.run(input, context);
      },
    },
  });
});
afterAll(async () => {
  await stage?.close();
  await temporal?.close();
});

async function analyse(id: string, title: string) {
  await stage.put(id, mediaItem('video', [medium('video', 'a')], { title }));
  await stage.finish(id);
  return stage.read(id);
}

describe('the language of the analysis', () => {
  it('is that of the content unless the project has one', async () => {
    const item = await analyse('auto', 'How the tram went back to the depot after its repair');
    expect(told).toEqual({ speech: null, vision: 'en', summary: null });
    expect(topics).toEqual([]);
    expect(item?.transcript?.[0]).toMatchObject({ language: 'en' });
  });

  it('is unknown if the texts do not reveal it', async () => {
    await analyse('silent', 'IMG 2041');
    expect(told).toEqual({ speech: null, vision: null, summary: null });
  });

  it('is that of the project, with its topics', async () => {
    await updateProject(stage.database.pool, stage.projectId, { language: 'kk', topics: ['Транспорт'] });
    await analyse('kazakh', 'How the tram went back to the depot after its repair');
    expect(told).toEqual({ speech: 'kk', vision: 'kk', summary: 'kk' });
    expect(topics).toEqual(['Транспорт']);
  });
});
