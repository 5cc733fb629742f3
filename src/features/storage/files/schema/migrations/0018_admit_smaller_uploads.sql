-- An upload of unknown size reserves the largest one, and takes the room that it needs when it arrives.
alter table stored_file add column may_be_smaller boolean not null default false;
