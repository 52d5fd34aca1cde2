/** The environment of the services of `npm start`, whatever the developer's own has. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { loadConfig, type Env } from '../../../../../config.ts';
import { serviceEnv, writeCaBundle } from '../../../../../tools/scripts/dev/services/serviceEnv.ts';
import { readSettings } from '../../../../../tools/scripts/dev/settings/devSettings.ts';

function envWith(env: Env): Env {
  return serviceEnv({
    env,
    settings: readSettings(env, []).settings,
    databaseUrl: 'postgres://attune@127.0.0.1:5439/attune',
    temporalAddress: '127.0.0.1:7233',
    temporalUiUrl: null,
    secretKey: 'x'.repeat(32),
    ffmpegPath: '/usr/bin/ffmpeg',
    tessdataDirs: [],
    sentenceEncoderDir: null,
    nudityModelDir: null,
    voiceModelDir: null,
    textReaders: { russianNetworks: null, russianWords: null, english: null },
    duckdbExtensionsDir: '',
    caFile: '/data/dev-ca.pem',
    demoHost: '127.83.17.1',
  });
}

describe('the services of a development stack', () => {
  // proves: decisions-hosting/development
  it('listen on 127.0.0.1 over http, on the chosen port', () => {
    for (const env of [{}, { HOST: '0.0.0.0', PORT: '9000' }]) {
      const config = loadConfig(envWith(env));
      expect([config.host, config.requireHttps, config.port]).toEqual(['127.0.0.1', false, Number(env.PORT ?? 8080)]);
      expect(config.publicUrl).toBe(`http://127.0.0.1:${config.port}`);
    }
  });

  // proves: decisions-stack/networks
  it('may reach the networks of ALLOW_NETWORKS, and the samples', () => {
    expect(envWith({})['ALLOW_NETWORKS']).toBe('127.83.17.1/32');
    expect(envWith({ ALLOW_NETWORKS: '10.0.0.0/8,fd00::/8' })['ALLOW_NETWORKS']).toBe(
      '10.0.0.0/8,fd00::/8,127.83.17.1/32',
    );
  });

  // proves: decisions-stack/providers
  it('get the settings of the providers', () => {
    const { capabilities } = loadConfig(
      envWith({ OPENAI_API_KEY: 'sk', VISION_PROVIDER: 'off', SPEECH_BASE_URL: 'http://speech.internal/v1' }),
    );
    expect(capabilities).toMatchObject({
      vision: { kind: 'off' },
      speech: { kind: 'openai', baseUrl: 'http://speech.internal/v1' },
    });
  });

  // proves: decisions-stack/certificates
  it('trust the certificates of NODE_EXTRA_CA_CERTS besides that of the samples', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'attune-ca-'));
    try {
      await writeFile(join(folder, 'own.pem'), 'OWN\n\n');
      expect(envWith({ NODE_EXTRA_CA_CERTS: join(folder, 'own.pem') })['NODE_EXTRA_CA_CERTS']).toBe('/data/dev-ca.pem');
      expect(await readFile(await writeCaBundle(folder, join(folder, 'own.pem'), 'SAMPLES\n'), 'utf8')).toBe(
        'OWN\nSAMPLES\n',
      );
      expect(await readFile(await writeCaBundle(folder, undefined, 'SAMPLES\n'), 'utf8')).toBe('SAMPLES\n');
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
