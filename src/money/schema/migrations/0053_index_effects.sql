-- Whether another call has made a thing is looked up by what it is.
create index effect_by_thing on effect (kind, subject);
