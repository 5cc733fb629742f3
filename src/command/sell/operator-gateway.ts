// The running gateway as its operator sees it.
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { createTollway, type Tollway, TollwayError } from '@tollway/client'
import { type Surroundings, startCommand, UsageError } from '@tollway/command'
import type { Config } from '../../config.ts'
import { readSettings } from '../settings.ts'

export interface OperatorGateway {
  /** That callers use. */
  readonly address: string
  readonly operator: Pick<Tollway, 'request'>
  /** Without a credential. */
  readonly stranger: Pick<Tollway, 'request'>
}

const portDefault = 4020

/** Throws UsageError where there is no token for it. */
export async function openOperatorGateway({
  connection,
  environment,
  folder,
}: Surroundings): Promise<OperatorGateway> {
  const config = readSettings(environment, folder)
  const isDefault = connection.baseUrl === `http://127.0.0.1:${portDefault}`
  const address = isDefault ? `http://127.0.0.1:${config.PORT}` : connection.baseUrl
  const key = await tokenFor(address, config, environment, folder)
  const baseUrl =
    isDefault && config.ADMIN_PORT !== undefined
      ? `http://${config.ADMIN_HOST}:${config.ADMIN_PORT}`
      : address
  return {
    address,
    operator: createTollway({ baseUrl, key }),
    stranger: createTollway({ baseUrl: address }),
  }
}

/** The token goes to a gateway of this machine, and to another one only if the environment names both. */
async function tokenFor(
  address: string,
  { ADMIN_TOKEN, DATA_DIR }: Config,
  environment: Surroundings['environment'],
  folder: string,
): Promise<string> {
  const isHere = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(address).hostname)
  const named = environment.ADMIN_TOKEN
  if (named) return named
  const file = path.resolve(folder, DATA_DIR, 'admin-token')
  const own = isHere
    ? (ADMIN_TOKEN ?? (await readFile(file, 'utf8').catch(() => '')).trim())
    : undefined
  if (own) return own
  throw new UsageError(
    isHere
      ? `There is no gateway in this folder yet. Start one in another terminal, in this folder: \`${startCommand}\`. Then run this again. If it runs elsewhere, set ADMIN_TOKEN.`
      : `Set ADMIN_TOKEN to the operator’s token of ${address}.`,
  )
}

/** Tells a newcomer how to start a gateway where none answers. */
export async function orExplain<Answer>(address: string, work: Promise<Answer>): Promise<Answer> {
  return await work.catch((thrown) => {
    if (thrown instanceof TollwayError && thrown.code === 'connection_failed')
      throw new UsageError(
        `No gateway answers at ${address}. Start one in another terminal, in this folder: \`${startCommand}\`. Then run this again.`,
      )
    throw thrown
  })
}
