import { randomBytes } from 'node:crypto'
import type { Database } from '../database/database.ts'

const secretBytes = 32

/** A secret that all gateways of this database share. The first one makes it, or takes it from `seed`. */
export async function sharedSecret(
  database: Database,
  name: string,
  seed: () => Promise<string | undefined> = async () => undefined,
): Promise<string> {
  const read = async () => {
    const [row] = await database.query<{ value: string }>(
      'select value from shared_secret where name = $1',
      [name],
    )
    return row?.value
  }
  const known = await read()
  if (known !== undefined) return known
  const made = (await seed()) ?? randomBytes(secretBytes).toString('base64url')
  await database.query(
    'insert into shared_secret (name, value) values ($1, $2) on conflict do nothing',
    [name, made],
  )
  const value = await read()
  if (value === undefined) throw new Error(`The shared secret ${name} could not be read back.`)
  return value
}
