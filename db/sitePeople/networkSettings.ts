/** The network: sites of the installation that share data with each other. */
import type { Queryable } from '../pool.ts';

export interface NetworkSettings {
  enabled: boolean;
  sensitiveTopics: boolean;
  /** Number of other sites with which it shares; 0 when it does not take part. */
  sites: number;
}

export async function readNetwork(pool: Queryable, siteId: string): Promise<NetworkSettings> {
  const { rows } = await pool.query<NetworkSettings>({
    name: 'site-network',
    text: `select network_enabled as enabled, sensitive_topics as "sensitiveTopics",
                  case when network_enabled then (select count(*)::int from network_sites n where n.site_id <> s.id) else 0 end as sites
             from sites s where id = $1`,
    values: [siteId],
  });
  return rows[0] ?? { enabled: false, sensitiveTopics: false, sites: 0 };
}
