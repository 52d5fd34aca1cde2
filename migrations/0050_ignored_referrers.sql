-- Hosts from which a return continues a visit (payment, sign-in), each with all below it.
alter table sites add column ignored_referrers text[] not null default '{}';
