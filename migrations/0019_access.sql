-- Who may do what takes effect at once, and quotas hold in every way of changing them.

-- API processes remember for some seconds whose a key is; whoever closes or changes an access, by the
-- cabinet or by hand, makes them forget (db/projectKeys.ts ACCESS_CHANNEL).
create function announce_access() returns trigger language plpgsql as $$
begin
  perform pg_notify('access', '');
  return null;
end $$;

create trigger project_keys_access after update of revoked_at on project_keys for each row
  when (new.revoked_at is distinct from old.revoked_at) execute function announce_access();
create trigger project_keys_gone after delete on project_keys for each statement execute function announce_access();
create trigger projects_access after update of state, limits, fingerprints on projects for each row
  when ((new.state, new.limits, new.fingerprints) is distinct from (old.state, old.limits, old.fingerprints)) execute function announce_access();
create trigger clients_access after update of state on clients for each row
  when (new.state is distinct from old.state) execute function announce_access();

-- domain/roles.ts OWNER_QUOTA.
alter table users
  add constraint users_owner_projects check (role <> 'owner' or cardinality(projects) <= 200),
  add constraint users_owner_sites check (role <> 'owner' or cardinality(sites) <= 30);

-- One requested rerun of a project at a time: of those that run already the latest goes on.
update reruns r set state = 'replaced', updated_at = now()
 where reason = 'request' and state = 'running'
   and exists (select from reruns later where later.project_id = r.project_id and later.reason = 'request' and later.state = 'running' and later.id > r.id);
create unique index reruns_requested on reruns (project_id) where reason = 'request' and state = 'running';
