import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { loadConfig } from '../../config.ts';
import { createProviders } from '../../providers/setup/createProviders.ts';
import { startOpenAiServer, type OpenAiServer, type Reply } from '../support/openai/openaiServer.ts';

const ENV = { DATABASE_URL: 'postgres://x@localhost/x', SECRET_KEY: 'x'.repeat(32), REQUIRE_HTTPS: 'false' };

let server: OpenAiServer;
let close: () => Promise<void> = () => Promise.resolve();

beforeEach(async () => {
  server = await startOpenAiServer();
});
afterEach(async () => {
  await close();
  await server.close();
});

/** Returns the moderator of an installation that configures its local server once, for everything. */
async function moderator() {
  const made = await createProviders(
    loadConfig({ ...ENV, OPENAI_BASE_URL: server.baseUrl, OPENAI_API_KEY: 'test-key' }),
  );
  close = made.close;
  const { moderation } = made.providers;
  if (!moderation) throw new Error('no moderation');
  const context = { signal: new AbortController().signal, progress: () => {} };
  return () => moderation.run({ text: 'Тихий вечер у реки.', frames: [] }, context);
}

describe('a server without moderation', () => {
  it.each<[string, Reply]>([
    ['404', { status: 404, raw: '404 page not found' }],
    ['405', { status: 405, raw: '' }],
    ['501', { status: 501, raw: '' }],
    ['200 and a sentence', { status: 200, json: { error: 'Unexpected endpoint or method. (POST /moderations)' } }],
  ])('(%s) leaves the text to the built-in lexicon, and says so', async (_, reply) => {
    server.script('/moderations', () => reply);
    const result = await (await moderator())();
    expect(result).toMatchObject({ value: { level: 'none' }, provenance: { provider: 'builtin' } });
    expect(result.warnings).toEqual([
      expect.stringMatching(/^moderated_by_builtin:provider_(endpoint_not_found|unsupported)$/),
    ]);
  });

  it('is not one that only lacks the model, nor one that answers', async () => {
    server.script('/moderations', () => ({ status: 404, json: { error: { code: 'model_not_found' } } }));
    const judge = await moderator();
    await expect(judge()).rejects.toMatchObject({ code: 'provider_model_not_found' });
    server.script('/moderations', () => undefined);
    expect(await judge()).toMatchObject({ provenance: { provider: 'openai' } });
  });
});
