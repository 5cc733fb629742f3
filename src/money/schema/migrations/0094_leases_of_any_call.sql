-- Leases of calls that run no language model, and what the calls under way on a lease may cost, as its gateway told with
-- its last turn. Null: a gateway of an earlier version keeps it.
alter table lease add column inference boolean not null default true, add column reserved bigint;
