// The servers of a database. Several may be named, as libpq names them: postgresql://user@one:5432,two:5432/tollway.
// One of them takes writes. After a failover that is another one, which each new connection looks for.
import pg from 'pg'

export interface DatabaseServers {
  /** For a pool of connections. */
  readonly poolOptions: {
    readonly Client: typeof pg.Client
    readonly verify: (client: pg.ClientBase, done: (error?: Error) => void) => void
  }
  /** A connection to the server that takes writes. */
  connect(config: pg.ClientConfig): Promise<pg.Client>
}

/** One address for each server, and whether a server must take writes. */
export function readServers(connectionString: string): {
  readonly addresses: readonly string[]
  readonly mustTakeWrites: boolean
} {
  const [, before = '', hosts = '', after = ''] =
    /^(postgres(?:ql)?:\/\/(?:[^@/]*@)?)([^/?]*)(.*)$/.exec(connectionString) ?? []
  const names = hosts.split(',')
  const wanted = /[?&]target_session_attrs=([^&]*)/.exec(after)?.[1]
  if (names.length === 1 && wanted === undefined)
    return { addresses: [connectionString], mustTakeWrites: false }
  const rest = after.replace(/([?&])target_session_attrs=[^&]*(&|$)/, (_, first, last) =>
    last === '' ? '' : first,
  )
  return {
    addresses: names.map((name) => `${before}${name}${rest}`),
    mustTakeWrites: wanted === undefined || wanted === 'read-write' || wanted === 'primary',
  }
}

/** As a standby answers a statement that writes. */
const readOnlyState = '25006'
export const isReadOnly = (error: unknown) =>
  error instanceof pg.DatabaseError && error.code === readOnlyState

/** For a connection to a server that does not answer, be it pooled or not. */
const connectTimeoutMs = 5_000

export function openServers(connectionString: string): DatabaseServers {
  const { addresses, mustTakeWrites } = readServers(connectionString)
  const placeOf = new WeakMap<pg.ClientBase, number>()
  let current = 0

  /** The next connection goes to the next server. */
  function leave(client: pg.ClientBase) {
    if (placeOf.get(client) === current) current = (current + 1) % addresses.length
  }

  function create(config: pg.ClientConfig): pg.Client {
    const client = new pg.Client({
      ...config,
      connectionString: addresses[current],
      connectionTimeoutMillis: connectTimeoutMs,
    })
    placeOf.set(client, current)
    // A server may end a connection at any moment. Its next query reports that, and a pool replaces it. Where nothing
    // listens, as between two queries of a transaction, the error would end the process.
    client.on('error', () => {})
    return client
  }

  async function check(client: pg.ClientBase): Promise<void> {
    if (!mustTakeWrites) return
    const { rows } = await client.query('show transaction_read_only')
    if (rows[0]?.transaction_read_only !== 'on') return
    leave(client)
    throw Object.assign(new Error('This server of the database takes no writes.'), {
      code: 'ECONNREFUSED',
    })
  }

  /** `new` of a function that returns an object gives that object. */
  function PooledClient(config: pg.ClientConfig) {
    const client = create(config)
    const connect = client.connect.bind(client)
    const noticed = (done: (error: Error) => void) => (error: Error) => {
      if (error) leave(client)
      done(error)
    }
    return Object.assign(client, {
      connect: (done: (error: Error) => void) => connect(noticed(done)),
    })
  }

  return {
    poolOptions: {
      Client: PooledClient as unknown as typeof pg.Client,
      verify: (client, done) =>
        void check(client).then(
          () => done(),
          (error) => done(error),
        ),
    },
    async connect(config) {
      for (let attempt = 1; ; attempt += 1) {
        const client = create(config)
        try {
          await client.connect()
          await check(client)
          return client
        } catch (error) {
          leave(client)
          void client.end().catch(() => {})
          if (attempt >= addresses.length) throw error
        }
      }
    },
  }
}
