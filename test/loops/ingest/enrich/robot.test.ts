import { describe, expect, it } from '@jest/globals';
import { DEFAULT_ROBOT_RULES } from '../../../../domain/sites/robotRules.ts';
import { parseNetworks } from '../../../../loops/ingest/enrich/networks.ts';
import { isRobotUserAgent, robotOf } from '../../../../loops/ingest/enrich/robot.ts';

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';
const dataCentres = parseNetworks('198.51.100.0/24');

describe('robotOf', () => {
  const reasonOf = (userAgent: string, ip: string, rules = DEFAULT_ROBOT_RULES) =>
    robotOf({ userAgent, ip }, rules, { isRobot: isRobotUserAgent, dataCentres });

  it('names the user agent rather than the network if both show a robot, and is null for people', () => {
    expect(reasonOf('curl/8.5.0', '198.51.100.7')).toBe('UserAgent');
    expect(reasonOf(BROWSER, '198.51.100.7')).toBe('DataCentre');
    expect(reasonOf(BROWSER, '203.0.113.7')).toBeNull();
  });

  it('ignores the signs that the site has switched off', () => {
    expect(reasonOf('curl/8.5.0', '198.51.100.7', { ...DEFAULT_ROBOT_RULES, user_agents: false })).toBe('DataCentre');
    expect(reasonOf(BROWSER, '198.51.100.7', { ...DEFAULT_ROBOT_RULES, data_centres: false })).toBeNull();
  });

  it('knows no data centres without a list', () => {
    const lists = { isRobot: isRobotUserAgent, dataCentres: null };
    expect(robotOf({ userAgent: BROWSER, ip: '198.51.100.7' }, DEFAULT_ROBOT_RULES, lists)).toBeNull();
  });
});
