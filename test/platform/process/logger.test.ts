import { describe, expect, it } from '@jest/globals';
import { createLogger } from '../../../platform/process/logger.ts';

function logTo(): { lines: Record<string, unknown>[]; logger: ReturnType<typeof createLogger> } {
  const lines: Record<string, unknown>[] = [];
  return { lines, logger: createLogger('test', 'info', { write: (line: string) => lines.push(JSON.parse(line)) }) };
}

describe('createLogger', () => {
  it('names the service and the level in words', () => {
    const { lines, logger } = logTo();
    logger.info({ requestId: 'r1' }, 'hello');
    expect(lines[0]).toMatchObject({ service: 'test', level: 'info', requestId: 'r1', msg: 'hello' });
  });

  it('redacts secrets at the top and one level down', () => {
    const { lines, logger } = logTo();
    logger.info({ token: 'at_x', headers: { authorization: 'Bearer ck_x', cookie: 's' } });
    expect(JSON.stringify(lines)).not.toMatch(/at_x|ck_x|"s"/);
  });

  it('logs only the kind, message, code and cause of an error', () => {
    const { lines, logger } = logTo();
    const cause = Object.assign(new TypeError('inner'), {
      code: '23505',
      detail: 'Key (email)=(a@b) exists',
      parameters: ['secret-value'],
    });
    logger.error({ err: new Error('outer', { cause }) });
    expect(lines[0]?.['err']).toMatchObject({
      type: 'Error',
      message: 'outer',
      cause: { type: 'TypeError', code: '23505' },
    });
    expect(JSON.stringify(lines)).not.toMatch(/a@b|secret-value/);
  });
});
