// Secrets that all gateways of a database share. With a sealing key, which the operator gives to each of them, the
// database alone does not show them.
import { randomBytes } from 'node:crypto'
import type { Database } from '../database/database.ts'
import { openSealedText, sealText } from '../sealed-text.ts'

const secretBytes = 32

interface Stored {
  readonly value: string | null
  readonly sealed: Buffer | null
}

/**
 * The secret of this name. The first gateway that asks for it makes it, or takes it from `seed`. With `sealingKey` it
 * is stored sealed, also if it was not before. Throws if it was sealed with another key.
 */
export async function sharedSecret(
  database: Database,
  name: string,
  options: {
    readonly seed?: () => Promise<string | undefined>
    readonly sealingKey?: string | undefined
  } = {},
): Promise<string> {
  const { seed, sealingKey } = options
  const read = async () => {
    const [row] = await database.query<Stored>(
      'select value, sealed from shared_secret where name = $1',
      [name],
    )
    return row
  }
  const known = await read()
  if (known === undefined) {
    const made = (await seed?.()) ?? randomBytes(secretBytes).toString('base64url')
    const sealed = sealingKey === undefined ? null : sealText(made, sealingKey)
    await database.query(
      'insert into shared_secret (name, value, sealed) values ($1, $2, $3) on conflict do nothing',
      [name, sealed === null ? made : null, sealed],
    )
  } else if (known.value !== null && sealingKey !== undefined) {
    await database.query(
      'update shared_secret set value = null, sealed = $2 where name = $1 and value is not null',
      [name, sealText(known.value, sealingKey)],
    )
  }
  return openStored(name, await read(), sealingKey)
}

function openStored(name: string, stored: Stored | undefined, sealingKey?: string): string {
  if (stored === undefined) throw new Error(`The shared secret ${name} could not be read back.`)
  if (stored.sealed === null) return stored.value ?? ''
  const opened = sealingKey === undefined ? undefined : openSealedText(stored.sealed, sealingKey)
  if (opened !== undefined) return opened
  throw new Error(
    sealingKey === undefined
      ? 'The secrets of this database are sealed. Set PROVIDER_SEALING_KEY to the key that its other gateways have, then start again.'
      : 'The secrets of this database are sealed with another key. Set PROVIDER_SEALING_KEY to the key that its other gateways have, then start again.',
  )
}
