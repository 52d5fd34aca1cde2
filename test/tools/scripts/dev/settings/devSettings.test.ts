import { describe, expect, it } from '@jest/globals';
import { resolve } from 'node:path';
import { readSettings, wantedPorts } from '../../../../../tools/scripts/dev/settings/devSettings.ts';

describe('settings of the stack', () => {
  // proves: decisions-stack/settings
  it('are all optional', () => {
    const { settings, faults } = readSettings({}, []);
    expect(faults).toEqual([]);
    expect(settings).toEqual({
      dataDir: resolve('data'),
      port: 8080,
      postgresPort: 5439,
      temporalPort: 7233,
      temporalUiPort: 8233,
      databaseUrl: null,
      temporalAddress: null,
      demo: 'first',
      sampleTrafficDays: null,
      watch: true,
    });
    expect(wantedPorts(settings).map(({ setting }) => setting)).toEqual([
      'PORT',
      'POSTGRES_PORT',
      'TEMPORAL_PORT',
      'TEMPORAL_UI_PORT',
    ]);
  });

  // proves: decisions-stack/given-servers
  it.each<[Record<string, string>, string[]]>([
    [{ DATABASE_URL: 'postgres://a@db.example/attune' }, ['PORT', 'TEMPORAL_PORT', 'TEMPORAL_UI_PORT']],
    [{ TEMPORAL_ADDRESS: '[::1]:7233' }, ['PORT', 'POSTGRES_PORT']],
    [{ DATABASE_URL: 'postgres://a@db.example/attune', TEMPORAL_ADDRESS: '[::1]:7233' }, ['PORT']],
  ])('open no ports for given servers: %j', (env, ports) => {
    const { settings, faults } = readSettings(env, []);
    expect(faults).toEqual([]);
    expect([settings.databaseUrl, settings.temporalAddress]).toEqual([
      env['DATABASE_URL'] ?? null,
      env['TEMPORAL_ADDRESS'] ?? null,
    ]);
    expect(wantedPorts(settings).map(({ setting }) => setting)).toEqual(ports);
  });

  it.each([
    [[], 'first'],
    [['--demo'], 'always'],
    [['--no-demo'], 'never'],
  ] as const)('with %j show the samples: %s', (args, demo) => {
    expect(readSettings({}, args).settings.demo).toBe(demo);
  });

  it.each([
    [{ PORT: '0' }, 'PORT="0" is not a port: write a whole number from 1 to 65535, for example PORT=8080'],
    [
      { TEMPORAL_UI_PORT: '8233.5' },
      'TEMPORAL_UI_PORT="8233.5" is not a port: write a whole number from 1 to 65535, for example TEMPORAL_UI_PORT=8233',
    ],
    [
      { NODE_EXTRA_CA_CERTS: '/no/such/file.pem' },
      'NODE_EXTRA_CA_CERTS="/no/such/file.pem" cannot be read: name a file of PEM certificates or leave it out',
    ],
    [
      { ALLOW_NETWORKS: '10.0.0.0/33' },
      'ALLOW_NETWORKS: "10.0.0.0/33" is not a network: write it as 10.0.0.0/8 or fd00::/8',
    ],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL="loud" is not one of trace, debug, info, warn, error, fatal, silent'],
    [{ SPEECH_PROVIDER: 'openai' }, 'SPEECH_PROVIDER=openai needs SPEECH_API_KEY or SPEECH_BASE_URL'],
  ])('report %j as one fault: %s', (env, fault) => {
    expect(readSettings(env, []).faults).toEqual([fault]);
  });

  it('never repeat a database address, which may contain a password', () => {
    const { faults } = readSettings({ DATABASE_URL: 'mysql://root:hunter2@db/attune' }, []);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(/^DATABASE_URL is not an address such as/);
    expect(faults[0]).not.toContain('hunter2');
  });

  it('name an option that does not exist', () => {
    const { faults } = readSettings({}, ['--demon']);
    expect(faults).toEqual([
      expect.stringMatching(/'--demon'.*--demo, --no-demo, --sample-traffic, --sample-days and --no-watch$/),
    ]);
  });

  it.each([
    [[], null],
    [['--sample-traffic'], 90],
    [['--sample-traffic', '--sample-days', '7'], 7],
    [['--sample-days', '7'], null],
  ] as const)('with %j send this many days of traffic: %s', (args, days) => {
    const { settings, faults } = readSettings({}, args);
    expect([settings.sampleTrafficDays, faults]).toEqual([days, []]);
  });

  it.each(['0', '91', '1.5', 'week'])('reject %s days of traffic', (days) => {
    expect(readSettings({}, ['--sample-traffic', '--sample-days', days]).faults).toEqual([
      `--sample-days "${days}" is not a whole number from 1 to 90`,
    ]);
  });
});
