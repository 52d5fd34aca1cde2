/** Rules of the decisions, §9: where data is stored. */
import { rule, type Chapter } from '../../rule.ts';

export const storageDecisions: readonly Chapter[] = [
  {
    id: 'decisions-storage',
    title: 'Decisions: storage',
    rules: [
      rule(
        'tenant-keys',
        'the primary key of each table of tenants begins with project_id or site_id, except for queues, logs and the like (test/db/tenantKeys.test.ts)',
      ),
      rule('folder', 'the lake is Parquet files in a local folder, with its catalogue in PostgreSQL'),
      rule('s3', 'the lake may be in a bucket instead'),
      rule('hits', 'each accepted hit is in the lake, also of a visit that is open'),
      rule('closed', 'a visit is in the lake soon after its 30 minutes, and not before'),
      rule('late', 'a late hit replaces the row of its visit in the lake'),
      rule('reports', 'reports count visits of the lake and open ones alike'),
      rule('facts', 'conversions and orders are stored in PostgreSQL and copied to the lake'),
      rule('people', 'people are in PostgreSQL'),
      rule('staged', 'what a batch of the inbox leads to is staged in the transaction that takes it from the inbox'),
      rule('batch-id', 'a commit of the lake names its batches; without that nothing is written'),
      rule('once', 'each batch is in the lake once, whichever process dies, restarts or repeats its commit'),
    ],
  },
];
