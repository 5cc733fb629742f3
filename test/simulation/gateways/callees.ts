// What the callers of `../crash-mix.ts` reach through a gateway: models and pages. And the accounts that they use.
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { makeDataDirectory, removeDataDirectory } from '#test/data-directory.ts'
import type { AtEnd } from '#test/database.ts'
import { llmConfig } from '#test/llm-gateway.ts'
import { startModelUpstream } from '#test/model-upstream.ts'
import { serveSite } from '../crash-mix.ts'

const accountCount = 4
const balanceCents = 1_000_000

export async function serveCallees(atEnd: AtEnd) {
  const upstream = await startModelUpstream(atEnd)
  const site = await serveSite()
  const folder = await makeDataDirectory()
  atEnd(() => removeDataDirectory(folder))
  const configPath = path.join(folder, 'llm.json')
  await writeFile(configPath, JSON.stringify(llmConfig(upstream.url)))
  return {
    siteUrl: site.url,
    /** Requests that reached the models and the site. */
    worked: () => upstream.asked.length + site.requests(),
    /** Settings by which a gateway finds the models. */
    env: { LLM_CONFIG: configPath, LAB_API_KEY: 'upstream-key' },
  }
}

/** The keys of new accounts with credit. */
export async function openAccounts(gateway: {
  openAccount(cents: number): Promise<{ readonly key: string }>
}): Promise<readonly string[]> {
  const keys: string[] = []
  for (let account = 0; account < accountCount; account += 1)
    keys.push((await gateway.openAccount(balanceCents)).key)
  return keys
}
