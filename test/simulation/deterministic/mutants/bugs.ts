// Bugs of the ledger's and the leases' TypeScript that the simulation must find.
import type { PlantedBug } from './planted-bug.ts'
import { sqlBugs } from './sql-bugs.ts'

const leases = 'src/money/leases'
const ledger = 'src/money/ledger'
const run = 'src/runner/run'

export const bugs: readonly PlantedBug[] = [
  // What a lease reserves.
  {
    name: 'a lease reserves more than it has',
    file: `${leases}/lease.ts`,
    find: 'if (lease.spare < micros || lease.places === 0',
    replace: 'if (lease.places === 0',
  },
  {
    name: 'a lease reserves again what is on its way back',
    file: `${leases}/lease.ts`,
    find: 'spare: lease.spare - ask.give,',
    replace: 'spare: lease.spare,',
  },
  {
    name: 'a lease reserves again what a call was charged',
    file: `${leases}/lease.ts`,
    find: 'spare: lease.spare + reserved - charged,',
    replace: 'spare: lease.spare + reserved,',
  },
  {
    name: 'a lease closes while calls of it run',
    file: `${leases}/lease.ts`,
    find: 'const last = isClosing && lease.open === 0 && ended === 0',
    replace: 'const last = isClosing && ended === 0',
  },
  {
    name: 'a grant counts before it came',
    file: `${leases}/lease.ts`,
    find: 'spare: lease.spare - ask.give, places',
    replace: 'spare: lease.spare - ask.give + ask.take, places',
  },
  {
    name: 'a lease ignores the limit for each call of its key',
    file: `${leases}/lease.ts`,
    find: 'if (micros > lease.callMicrosMax || lease.isClosing)',
    replace: 'if (lease.isClosing)',
  },
  {
    name: 'a call refused for its idempotency key stays reserved',
    file: `${leases}/leases.ts`,
    find: `if (outcome?.outcome !== 'held') leases.release(hold.callId)`,
    replace: '',
  },
  {
    name: 'calls on leases are held twice',
    file: `${leases}/leases.ts`,
    find: 'outcome = await ledger.hold({ ...hold, onLease: true })',
    replace: 'outcome = await ledger.hold({ ...hold, onLease: false })',
  },
  {
    name: 'an answer to an idempotency key is given before the books have it',
    file: `${leases}/ended-calls.ts`,
    find: 'if (!waits(call.hold)) {',
    replace: 'if (call !== undefined) {',
  },
  // What the database forgets.
  {
    name: 'the leases are not compared after a break',
    file: `${leases}/lease-writer.ts`,
    find: 'if (isDoubtful()) await reconcileAll()',
    replace: '',
  },
  {
    name: 'a break during the comparison counts as compared',
    file: `${leases}/lease-writer.ts`,
    find: `    breaksReconciled = commits.breaks()
    await reconcile(dependencies).catch((error) => {
      isLeft = isFinishing`,
    replace: `    await reconcile(dependencies).finally(() => (breaksReconciled = commits.breaks())).catch((error) => {
      isLeft = isFinishing`,
    isInterleaving: true,
  },
  {
    name: 'a flush counts for what was committed before a break',
    file: `${leases}/lease-writer.ts`,
    find: 'if (isDurable && !isDoubtful()) calls.flushed()',
    replace: 'if (isDurable) calls.flushed()',
    isInterleaving: true,
  },
  {
    name: 'committed calls that were forgotten are not written again',
    file: `${leases}/lease-writer.ts`,
    find: '    if (missing.has(callId))\n',
    replace: '    if (missing.has(record))\n',
  },
  {
    name: 'a commit counts as on the disk at once',
    file: `${leases}/lease-writer.ts`,
    find: 'if (isDurable) calls.written(booked, row.spendable)',
    replace: 'if (isDurable || ended.length > 0) calls.written(booked, row.spendable)',
    isInterleaving: true,
  },
  {
    name: 'only the last commit is remembered until the flush',
    file: `${leases}/ended-calls.ts`,
    find: 'committed.push(...ended)',
    replace: 'committed = [...ended]',
    isInterleaving: true,
  },
  {
    name: 'calls of a turn that does not count are dropped',
    file: `${leases}/lease-writer.ts`,
    find: 'await drop(dependencies, entry, ended)\n      continue',
    replace: 'await drop(dependencies, entry, [])\n      continue',
    isInterleaving: true,
  },
  {
    name: 'calls that wait while their lease is dropped are dropped too',
    file: `${leases}/lease-writer.ts`,
    find: '[...ended, ...entry.ended.splice(0)])',
    replace: 'ended)',
    isInterleaving: true,
  },
  {
    name: 'a call that ends after its lease was dropped is not written',
    file: `${leases}/leases.ts`,
    find: '} else void writer.replay([ended])',
    replace: '}',
    isInterleaving: true,
  },
  {
    name: 'a call whose lease is gone is given up when the database is away',
    file: `${leases}/lease-commits.ts`,
    find: 'if (session.isHurried() || !isTransient(error)) throw error',
    replace: 'throw error',
    isInterleaving: true,
  },
  {
    name: 'two leases of an account have a turn in one batch',
    file: `${leases}/lease-writer.ts`,
    find: 'if (accounts.has(accountId) || !book.needsTurn(entry)) continue',
    replace: 'if (!book.needsTurn(entry)) continue',
    isInterleaving: true,
  },
  {
    name: 'a turn that is sent again has the next number',
    file: `${leases}/lease-commits.ts`,
    find: 'turn: lease.turn + 1,',
    replace: 'turn: lease.turn + 1 + Number(lease.turn > 2),',
  },
  // The journal.
  {
    name: 'the journal is emptied while calls of it are missing in the books',
    file: `${leases}/journal.ts`,
    find: 'if (segment.unwritten > 0) return',
    replace: '',
    isInterleaving: true,
  },
  {
    name: 'calls that are filed together count as one',
    file: `${leases}/journal.ts`,
    find: 'current.unwritten += lines.length',
    replace: 'current.unwritten += 1',
    isInterleaving: true,
  },
  {
    name: 'a short write counts as whole',
    file: `${leases}/journal.ts`,
    find: 'for (let done = 0; done < data.length; ) done += writeSync(descriptor, data, done)',
    replace: 'writeSync(descriptor, data, 0)',
    isInterleaving: true,
  },
  {
    name: 'the journal of a killed gateway is not replayed',
    file: `${leases}/leases.ts`,
    find: 'const lines = await readLines()',
    replace: 'const lines: string[] = []',
  },
  {
    name: 'the journal of a gateway that seems to live at the start is not replayed later',
    file: `${leases}/leases.ts`,
    find: `await replayJournals(replay, 'later').catch(`,
    replace: 'await Promise.resolve().catch(',
    isInterleaving: true,
  },
  // The ledger.
  {
    name: 'settlements in a batch lost with its connection are dropped',
    file: `${ledger}/commit-queue.ts`,
    find: 'settlements.push(...batch.settlements)',
    replace: '',
  },
  {
    name: 'holds in a batch lost with its connection are dropped',
    file: `${ledger}/commit-queue.ts`,
    find: 'holds.push(...batch.holds)',
    replace: '',
  },
  {
    name: 'a gateway has no lock, so others take it for dead',
    file: `${ledger}/session.ts`,
    find: 'await client.query(`select pg_advisory_lock_shared(',
    replace: 'if (gatewayNumber < 0) await client.query(`select pg_advisory_lock_shared(',
  },
  {
    name: 'recovery voids calls that are under way',
    file: `${ledger}/ledger.ts`,
    find: 'open.filter(({ id }) => !underWay.has(id)),',
    replace: 'open,',
    isInterleaving: true,
  },
  {
    name: 'a call is under way only after its hold was answered',
    file: `${ledger}/ledger.ts`,
    find: '      underWay.begin(hold)\n      let outcome: HoldOutcome | undefined\n',
    replace:
      '      setTimeout(() => underWay.begin(hold), 200)\n      let outcome: HoldOutcome | undefined\n',
    isInterleaving: true,
  },
  {
    name: 'leases of stopped gateways are not released',
    file: `${leases}/leases.ts`,
    find: `database.query('select release_abandoned_leases($1)', [gatewayNumber])`,
    replace: `database.query('select gateway_lives($1)', [gatewayNumber])`,
  },
  {
    name: 'calls of stopped gateways are voided once only',
    file: `${ledger}/ledger.ts`,
    find: '    recover().catch((error) => log.warn(',
    replace: '    Promise.resolve().catch((error) => log.warn(',
    isInterleaving: true,
  },
  // The runner.
  {
    name: 'a call that was voided meanwhile is answered as charged',
    file: `${run}/run.ts`,
    find: `if (settled.outcome === 'gone') throw fail('upstream_error')`,
    replace: '',
    isInterleaving: true,
  },
  {
    name: 'a chat that was voided meanwhile is answered although its key is free',
    file: `${run}/meter.ts`,
    find: `if (outcome === 'gone' && end.failed === undefined) throw fail('upstream_error')`,
    replace: '',
    isInterleaving: true,
  },
  {
    name: 'a chat that was voided before its lease booked it is answered',
    file: `${leases}/lease-writer.ts`,
    find: 'const gone = new Set(row.gone)',
    replace: 'const gone = new Set<string>()',
    isInterleaving: true,
  },
  {
    name: 'a call that failed is charged',
    file: `${run}/void-call.ts`,
    find: `      state: 'voided',
      charged: 0,`,
    replace: `      state: 'settled',
      charged: 1,`,
  },
  {
    name: 'a call that may have failed is answered from its row',
    file: `${run}/earlier-call.ts`,
    find: `if (output === null) throw fail('unavailable')`,
    replace: `if (output === null) return envelope({ output: 'null', charged })`,
  },
  // Jobs.
  {
    name: 'a job is accepted and not queued',
    file: `${ledger}/ledger.ts`,
    find: `if (outcome.outcome === 'held') await enqueue(client)`,
    replace: '',
  },
  {
    name: 'a job begins anew instead of from its checkpoints',
    file: 'src/runner/jobs/work.ts',
    find: 'checkpoints: await openJobs.checkpoints(callId),',
    replace: 'checkpoints: new Map(),',
  },
  {
    name: 'a part of a job is told as saved before it is',
    file: 'src/runner/jobs/work.ts',
    find: 'save: (name, value) => openJobs.save(callId, name, value),',
    replace:
      'save: async (name, value) => void openJobs.save(callId, name, value).catch(() => {}),',
    isInterleaving: true,
  },
  ...sqlBugs,
]
