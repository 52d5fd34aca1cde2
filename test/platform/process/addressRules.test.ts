import { describe, expect, it } from '@jest/globals';
import { loadConfig } from '../../../config.ts';
import { isForbiddenAddress, isForbiddenHost } from '../../../platform/outgoing/forbiddenAddresses.ts';
import { addressRules } from '../../../platform/process/addressRules.ts';

const rulesWith = (env: Record<string, string>) =>
  addressRules(
    loadConfig({
      DATABASE_URL: 'postgres://attune:secret@localhost:5433/attune',
      SECRET_KEY: 'x'.repeat(44),
      PUBLIC_URL: 'https://attune.example.com',
      ...env,
    }),
  );
const PROXY = ['93.184.215.14'];

describe('addressRules', () => {
  it.each(['attune.example.com', 'ATTUNE.example.com.', 'content.example.com', 'analytics.example.com'])(
    'refuse %s, which a proxy leads back to the service',
    (host) => {
      const rules = rulesWith({ CONTENT_HOST: 'content.example.com', ANALYTICS_HOST: 'Analytics.Example.com' });
      expect(isForbiddenHost(host, PROXY, rules, 443)).toBe(true);
      expect(isForbiddenHost('example.com', PROXY, rules, 443)).toBe(false);
    },
  );

  it('refuse the exact address of PUBLIC_URL, on every port', () => {
    const rules = rulesWith({ PUBLIC_URL: 'https://8.8.4.4:8443' });
    expect(isForbiddenAddress('8.8.4.4', rules, 443)).toBe(true);
    expect(isForbiddenAddress('8.8.4.5', rules, 443)).toBe(false);
  });

  it('keep the ports of the service closed in an opened network: its own, the public one, and those of its database and Temporal', () => {
    const rules = rulesWith({ PUBLIC_URL: 'https://localhost:8443', PORT: '8081', ALLOW_NETWORKS: '127.0.0.0/8' });
    for (const port of [5433, 7233, 8081, 8443]) expect(isForbiddenAddress('127.0.0.1', rules, port)).toBe(true);
    expect(isForbiddenAddress('127.0.0.1', rules, 9000)).toBe(false);
  });
});
