-- The list of items in the order of their changes, from which a reader that follows it misses nothing.
--
-- Writers commit out of order: one that stamps a row early may commit after one that stamped later,
-- when a reader has passed that point. So each writer announces, for as long as its transaction
-- lives, a moment that none of its stamps precedes, and readers stop before the earliest such moment.
--
-- The announcement is a shared advisory lock whose key is that moment: 16 bits that say what it is,
-- 48 bits of Unix milliseconds. The key is made of the clock first, then the lock is taken, then the
-- clock is read again for the stamp. A reader reads the clock first and then the locks. So a lock
-- that it does not see was either taken later, and its stamps are later than the reader's clock, or
-- let go of already, and PostgreSQL lets go of locks after the commit has become visible.
-- Nobody waits for anybody. A writer that hangs holds back the end of the list, no longer than its
-- transaction lives. docs/decisions/item-list.md tells what else was considered.

-- Of a transaction only the first stamp takes the lock: its key precedes all that follow, and a bulk
-- load does not fill the lock table. A savepoint that is rolled back takes both back, lock and note.
create function stamp_item() returns trigger language plpgsql as $$
begin
  if coalesce(current_setting('attune.item_stamped', true), '') = '' then
    perform pg_advisory_xact_lock_shared((x'4154'::bigint << 48) | floor(extract(epoch from clock_timestamp()) * 1000)::bigint);
    perform set_config('attune.item_stamped', 'yes', true);
  end if;
  new.updated_at := clock_timestamp();
  return new;
end $$;

create trigger items_stamp_insert before insert on items for each row execute function stamp_item();
-- A change that leaves updated_at alone is none that a reader of the list could see.
create trigger items_stamp_update before update on items for each row
  when (new.updated_at is distinct from old.updated_at) execute function stamp_item();

-- The moment before which every change of an item is visible to a statement that starts after this one.
create function items_horizon() returns timestamptz language plpgsql volatile as $$
declare
  clock timestamptz := clock_timestamp();
  announced bigint;
begin
  select min(((classid::bigint & x'ffff'::bigint) << 32) | objid::bigint) into announced
    from pg_locks
   where locktype = 'advisory' and granted and objsubid = 1
     and classid::bigint >> 16 = x'4154'::bigint
     and database = (select oid from pg_database where datname = current_database());
  return least(clock, to_timestamp(announced / 1000.0));
end $$;

-- Rows of one microsecond are told apart by a hash of the id: an id itself does not fit a cursor.
-- The rest is what the list shows and filters by, so that it reads nothing but the index.
create index items_by_update on items (project_id, updated_at, hashtextextended(id, 0))
  include (id, status, available, deleted);
