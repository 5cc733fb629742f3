// The running gateway as its operator sees it.
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { createTollway, type Tollway, TollwayError } from '@tollway/client'
import { type Surroundings, startCommand, UsageError } from '@tollway/command'
import { readSettings } from '../settings.ts'

export interface OperatorGateway {
  /** That callers use. */
  readonly address: string
  readonly operator: Pick<Tollway, 'request'>
  /** Without a credential. */
  readonly stranger: Pick<Tollway, 'request'>
  /** With the key of its first account. Undefined where there is none in its folder. */
  readonly starterKeyFile: string | undefined
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
  const isHere = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(address).hostname)
  const dataDir = isHere ? path.resolve(folder, config.DATA_DIR) : undefined
  const key =
    environment.ADMIN_TOKEN ||
    (dataDir && (config.ADMIN_TOKEN ?? (await readLine(path.join(dataDir, 'admin-token')))))
  if (!key) throw new UsageError(await explainMissingToken(address, dataDir))
  const starterKeyFile = dataDir && path.join(dataDir, 'starter-key')
  const baseUrl =
    isDefault && config.ADMIN_PORT !== undefined
      ? `http://${config.ADMIN_HOST}:${config.ADMIN_PORT}`
      : address
  return {
    address,
    operator: createTollway({ baseUrl, key }),
    stranger: createTollway({ baseUrl: address }),
    starterKeyFile: starterKeyFile && (await readLine(starterKeyFile)) ? starterKeyFile : undefined,
  }
}

const readLine = async (file: string) => (await readFile(file, 'utf8').catch(() => '')).trim()

const answerTimeoutMs = 2_000

/** The token goes to a gateway of this machine, and to another one only if the environment names both. */
async function explainMissingToken(address: string, dataDir: string | undefined): Promise<string> {
  if (dataDir === undefined) return `Set ADMIN_TOKEN to the operator’s token of ${address}.`
  const signal = AbortSignal.timeout(answerTimeoutMs)
  const isRunning = await fetch(`${address}/healthz`, { signal }).then(
    () => true,
    () => false,
  )
  return isRunning
    ? `A gateway answers at ${address}, and its operator’s token is not in ${dataDir}. Run this in the folder of the gateway, or set ADMIN_TOKEN to its token: \`data/admin-token\` there has it.`
    : `There is no gateway in this folder yet. Start one in another terminal, in this folder: \`${startCommand}\`. Then run this again. If it runs elsewhere, set ADMIN_TOKEN.`
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
