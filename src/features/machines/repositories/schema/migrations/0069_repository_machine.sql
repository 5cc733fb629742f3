-- The machine whose disk has the repository. Null until a gateway that finds its folder says so.
alter table repository add column machine text;
