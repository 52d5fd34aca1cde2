import { expect, it } from '@jest/globals';
import { loadConfig } from '../../../config.ts';
import { createLogger } from '../../../platform/process/logger.ts';
import { createOutgoingAgent } from '../../../platform/process/outgoingAgent.ts';

// proves: decisions-guard/allow
it.each([
  ['true', '10.20.0.0/16, fd00::/8', [['warn', ['10.20.0.0/16', 'fd00::/8']]]],
  ['true', '', []],
  ['false', '10.20.0.0/16', [['info', ['10.20.0.0/16']]]],
])('with REQUIRE_HTTPS=%s, logs the networks that ALLOW_NETWORKS opens: "%s"', async (https, csv, expected) => {
  const lines: { level: string; networks: string[] }[] = [];
  const logger = createLogger('test', 'info', { write: (line: string) => lines.push(JSON.parse(line)) });
  const config = loadConfig({
    DATABASE_URL: 'postgres://attune:secret@localhost:5433/attune',
    SECRET_KEY: 'x'.repeat(44),
    PUBLIC_URL: 'https://attune.example.com',
    REQUIRE_HTTPS: https,
    ALLOW_NETWORKS: csv,
  });
  await createOutgoingAgent(config, logger).destroy();
  expect(lines.map(({ level, networks }) => [level, networks])).toEqual(expected);
});
