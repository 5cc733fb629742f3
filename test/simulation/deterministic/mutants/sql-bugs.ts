// Bugs of the ledger's SQL. A run with PostgreSQL must find them.
import type { PlantedBug } from './planted-bug.ts'

const functions = 'src/money/schema/functions'

export const sqlBugs: readonly PlantedBug[] = [
  {
    name: 'a turn counts although it does not follow the last one',
    file: `${functions}/leases.sql`,
    find: 'join lease l on l.id = t.lease and l.turn = t.turn - 1);',
    replace: 'join lease l on l.id = t.lease);',
    isInterleaving: true,
  },
  {
    name: 'a replayed call posts a charge without debiting the balance',
    file: `${functions}/leases.sql`,
    find: 'update balance set available = available - (c.charged - from_lease), held = held - from_lease where account_id = c.account;',
    replace: '',
    isInterleaving: true,
  },
  {
    name: 'a replayed call of an open lease is charged beside the lease',
    file: `${functions}/leases.sql`,
    find: 'update lease set held = held - from_lease where id = l.id;',
    replace: '',
    isInterleaving: true,
  },
  {
    name: 'a call that was voided meanwhile is charged by its lease',
    file: `${functions}/leases.sql`,
    find: `where c.claimed and o.id = c.id and o.state = 'held' and o.on_lease`,
    replace: 'where c.claimed and o.id = c.id and o.on_lease',
    isInterleaving: true,
  },
  {
    name: 'what a lease without language models holds counts as that of models',
    file: `${functions}/leases.sql`,
    find: 'from decided d where i.account_id = d.account_id and i.day = d.day and d.inference',
    replace: 'from decided d where i.account_id = d.account_id and i.day = d.day',
  },
  {
    name: 'a lease that was released leaves its places in flight',
    file: `${functions}/leases.sql`,
    find: 'held = held - l.held, in_flight = in_flight - l.places',
    replace: 'held = held - l.held',
  },
  {
    name: 'a comparison releases the leases of other gateways',
    file: `${functions}/leases.sql`,
    find: 'select id from lease where gateway_id = p_gateway\n      and not exists',
    replace: 'select id from lease where not exists',
    isInterleaving: true,
  },
  {
    name: 'a gateway that reconnects is taken for dead',
    file: `${functions}/gateways.sql`,
    find: 'exists (select 1 from gateway_process where number = p_number)\n    or ',
    replace: '',
    isInterleaving: true,
  },
  {
    name: 'a call is settled twice',
    file: `${functions}/settlements.sql`,
    find: `if c.state <> 'held' or s.charged > c.held then`,
    replace: 'if s.charged > c.held then',
    isInterleaving: true,
  },
  {
    name: 'a voided claim gives back what its lease holds',
    file: `${functions}/settlements.sql`,
    find: 'case when on_lease then 0 else held end as held',
    replace: 'held',
  },
  {
    name: 'a failed call keeps its idempotency key',
    file: `${functions}/settlements.sql`,
    find: `idempotency_key = case s.state when 'settled' then idempotency_key end`,
    replace: 'idempotency_key = idempotency_key',
  },
  {
    name: 'what a call did not cost stays counted against the limits of its key',
    file: `${functions}/settlements.sql`,
    find: 'if c.held > s.charged then',
    replace: 'if false then',
  },
  {
    name: 'a hold that is sent again is held again',
    file: `${functions}/holds.sql`,
    find: `if found then outcome := case c.state when 'held' then 'held' else 'expired' end; return; end if;`,
    replace: '',
    isInterleaving: true,
  },
]
