-- The device by whose identifier experiments draw this user (db/output/personKey.ts); null: by the user's own.
alter table identities add column drawn_as bigint;
