/**
 * A process that commits the staged rows of shard 1 when it is told to. SETTINGS is a LakeSettings in JSON. Before
 * the lake's statement that begins with STATEMENT it sends itself SIGNAL.
 */
import { createPool } from '../../../db/pool.ts';
import { commitStaged } from '../../../reports/lake/commit/commitStaged.ts';
import { openLake, type Lake } from '../../../reports/lake/index.ts';
import type { LakeSettings } from '../../../reports/lake/lakeSettings.ts';

const { SETTINGS = '', STATEMENT = '', SIGNAL = '' } = process.env;
const settings = JSON.parse(SETTINGS) as LakeSettings;
const pool = createPool({ databaseUrl: settings.databaseUrl, size: 2, applicationName: 'attune-test-committer' });
const lake = await openLake(settings);

const interrupted: Lake = {
  ...lake,
  withConnection: (work) =>
    lake.withConnection((connection) =>
      work({
        ...connection,
        query: (sql, params) => {
          if (STATEMENT !== '' && sql.startsWith(STATEMENT)) process.kill(process.pid, SIGNAL);
          return connection.query(sql, params);
        },
      }),
    ),
};

process.on('message', () => {
  void commitStaged(interrupted, pool, [1]).then((outcome) => process.send?.(outcome));
});
process.on('disconnect', () => process.exit(0));
process.send?.('ready');
