-- Vectors of pictures in the space of a model that reads words too; the step embedding makes them.
create table item_picture_vectors (
  project_id text not null,
  item_id    text not null,
  ordinal    int not null,
  medium_id  uuid not null,
  ts         double precision not null,
  vector     bytea not null,
  model      text not null,
  revision   bigint,
  primary key (project_id, item_id, ordinal),
  foreign key (project_id, item_id) references items (project_id, id)
);

create trigger item_picture_vectors_revision before insert or update on item_picture_vectors
  for each row execute function stamp_revision('embedding');
