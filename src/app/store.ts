// The database, and what is stored in it by itself: accounts, keys, secrets.
import { createHash } from 'node:crypto'
import path from 'node:path'
import { createAccounts } from '#accounts/accounts.ts'
import { createAttemptCounter } from '#accounts/attempts.ts'
import { createKeys } from '#accounts/keys/keys.ts'
import { createOAuthRecords } from '#accounts/oauth/records.ts'
import { createOpenAccess } from '#accounts/open-access.ts'
import { createOperators } from '#accounts/operators/operators.ts'
import { createPriceGroups } from '#accounts/price-groups.ts'
import { createSignInAddresses } from '#accounts/sign-in/addresses.ts'
import { createPasskeyChallenges } from '#accounts/sign-in/challenges.ts'
import { createClaims } from '#accounts/sign-in/claims.ts'
import { createPasskeys } from '#accounts/sign-in/passkeys.ts'
import { relyingPartyOf } from '#accounts/sign-in/relying-party.ts'
import { createSignIns } from '#accounts/sign-in/sign-ins.ts'
import { openDatabase } from '#platform/database/database.ts'
import { applySchema } from '#platform/database/schema.ts'
import { startEmbeddedPostgres } from '#platform/postgres/embedded.ts'
import { openSharedState } from '#platform/replicas/open-shared-state.ts'
import { readOrCreateSecret, readSecret, writeSecret } from '#platform/secret-file.ts'
import { sharedSecret } from '#platform/secrets/shared-secret.ts'
import { createUrlSigner } from '#platform/url-signer.ts'
import type { AppContext } from './context.ts'
import { schema } from './schema.ts'

/**
 * All parts ask at once when a gateway starts, and would open all connections for a moment. A new session costs the
 * server more than a short wait costs the start.
 */
const connectionsAtStart = 2

export type Store = Awaited<ReturnType<typeof openStore>>

export async function openStore(
  { config, log, clock, baseUrl, onClose }: AppContext,
  onFatal: ((error: Error) => void) | undefined,
) {
  const embedded =
    config.DATABASE_URL === undefined
      ? await startEmbeddedPostgres({
          dataDir: path.resolve(config.DATA_DIR),
          log,
          onCrash: onFatal,
        })
      : undefined
  if (embedded !== undefined) onClose(embedded.stop)
  const connectionString = config.DATABASE_URL ?? embedded?.connectionString ?? ''
  const directConnectionString = config.DATABASE_DIRECT_URL
  const database = openDatabase({
    connectionString,
    directConnectionString,
    connectionsAtFirst: connectionsAtStart,
    log,
  })
  onClose(database.close)
  await applySchema(database, schema, (migration) =>
    log.info(
      { migration },
      'Changing large tables online. The start waits for it, and calls do not.',
    ),
  )

  const access = createOpenAccess({ database, log })
  onClose(access.close)
  const attempts = createAttemptCounter(database)
  const secretFile = (name: string) => path.join(config.DATA_DIR, name)
  /** A secret that all gateways of this database share. */
  const secret = (name: string) =>
    sharedSecret(database, name, {
      seed: () => readSecret(secretFile(name)),
      sealingKey: config.PROVIDER_SEALING_KEY,
    })
  await claimDataDir(secretFile('database-id'), await secret('gateway-requests'))
  const adminToken = await readAdminToken()
  const signIns = createSignIns(database, adminToken)
  const signer = createUrlSigner({
    key: config.STATUS_URL_KEY ?? (await secret('status-url-key')),
    clock,
  })
  const shared = await openSharedState({
    url: config.REDIS_URL,
    secret: () => secret('shared-state'),
    clock,
    log,
  })
  onClose(shared.close)
  const keys = createKeys({ database, clock })
  const oauthRecords = createOAuthRecords({ database, keys, clock })
  const challenges = createPasskeyChallenges({ database, signer, clock })
  const site = () => relyingPartyOf(baseUrl())
  const passkeys = createPasskeys({ database, keys, challenges, site })
  const addresses = createSignInAddresses({ database, keys })
  const accounts = createAccounts({ database, clock })
  return {
    database,
    connectionString,
    accounts,
    operators: createOperators({ database, accounts, keys, log }),
    priceGroups: createPriceGroups({ database, clock }),
    claims: createClaims({ database, accounts, keys, signIns }),
    access,
    keys,
    signIns,
    passkeys,
    addresses,
    oauthRecords,
    attempts,
    /** What expires without being used. */
    expiring: [signIns, challenges, addresses, oauthRecords, attempts],
    secretFile,
    secret,
    adminToken,
    signer,
    shared,
    isEmbedded: embedded !== undefined,
    /** Whether the database answers. */
    ready: () =>
      database.query('select 1').then(
        () => true,
        () => false,
      ),
  }

  /** Shared where the database holds secrets sealed; otherwise of this gateway. */
  async function readAdminToken(): Promise<string> {
    if (config.ADMIN_TOKEN !== undefined) return config.ADMIN_TOKEN
    const file = secretFile('admin-token')
    return config.PROVIDER_SEALING_KEY === undefined
      ? await readOrCreateSecret(file)
      : await writeSecret(file, await secret('admin-token'))
  }
}

/** The files in DATA_DIR are those of one database: a gateway of another one would remove them as left over. */
async function claimDataDir(file: string, secretOfDatabase: string): Promise<void> {
  const id = createHash('sha256').update(`data of ${secretOfDatabase}`).digest('hex')
  if ((await readOrCreateSecret(file, id)) !== id)
    throw new Error(
      `DATA_DIR belongs to another database than DATABASE_URL. Give this gateway a DATA_DIR of its own. If that database is gone for good, remove ${file} and ${path.join(path.dirname(file), 'leases')}, and start again.`,
    )
}
