-- What a call was for: the step summary also pays for moderation. Null in rows of older releases: the step itself.
alter table analysis_usage add column capability text;
