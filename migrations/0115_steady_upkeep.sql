-- Tables that change all the time are vacuumed and analysed about once a minute. That took most of a core for a second,
-- and answers waited meanwhile (docs/performance.md).

-- No condition names these columns, so no plan needs their statistics, which take longest to collect.
alter table output_snapshots
  alter column item_ids set statistics 0,
  alter column scores set statistics 0,
  alter column reasons set statistics 0,
  alter column propensities set statistics 0;

-- Longer pauses than the usual 2 ms spread the same work over more time.
alter table output_snapshots set (autovacuum_vacuum_cost_delay = 10);
alter table impression_counts set (autovacuum_vacuum_cost_delay = 10);
alter table events set (autovacuum_vacuum_cost_delay = 10);
alter table event_states set (autovacuum_vacuum_cost_delay = 10);

-- Counts are written again for most of their rows while people are active, which changes little that a plan needs.
alter table item_popularity set (autovacuum_vacuum_cost_delay = 10, autovacuum_analyze_scale_factor = 0.5);
alter table item_statistics set (autovacuum_vacuum_cost_delay = 10, autovacuum_analyze_scale_factor = 0.5);
alter table popularity_versions set (autovacuum_vacuum_cost_delay = 10, autovacuum_analyze_scale_factor = 0.5);
