-- When another user was linked to the visitor: a fact of the user that is told later is of a visit before that.
-- Null: the link stands, or it ended before this was noted (then linked_at of the next one tells).
alter table site_visitor_users add column ended_at timestamptz;
