// Finds what would stop a start before the start opens anything, so that a start that fails leaves no data folder
// behind.
import { once } from 'node:events'
import { access, constants } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { Config } from '../config.ts'

type Checked = Pick<Config, 'HOST' | 'PORT' | 'LLM_CONFIG' | 'CATALOG_FILE'>

/** Throws what the system says of the address or the file. Another program may still take the port a moment later. */
export async function preflight({ HOST, PORT, LLM_CONFIG, CATALOG_FILE }: Checked): Promise<void> {
  for (const file of [LLM_CONFIG, CATALOG_FILE]) {
    if (file !== undefined) await access(file, constants.R_OK)
  }
  const probe = createServer().listen(PORT, HOST)
  await once(probe, 'listening')
  probe.close()
  await once(probe, 'close')
}
