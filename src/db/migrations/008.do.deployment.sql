-- What tells the keys of this deployment from those of another: six characters of base32.
create table deployment (
  single boolean primary key default true check (single),
  tag text not null default upper(translate(left(md5(gen_random_uuid()::text), 6), '0189', 'ghij'))
);
insert into deployment default values;
