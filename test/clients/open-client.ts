// The actions of the test provider, as an operator types the private actions of a gateway.

import { type Actions, createTollway, type TollwayOptions } from '@tollway/client'
import type { Gateway } from '#test/harness.ts'

interface TestActions {
  'test/echo': { input: { text?: string }; output: { echo: string } }
  'test/free': { input: { text?: string }; output: { echo: string } }
  'test/slow': { input: { text?: string }; output: { echo: string } }
  'test/fails': { input: { code: string }; output: unknown }
  'test/purchase': { input: { costs: number }; output: { cost: number }; needsMaxCost: true }
  'test/job': {
    input: { steps?: number; costs?: number; ends?: 'well' | 'failed' | 'gate' | 'never' }
    output: { spent_cents: number }
    job: true
  }
  'boxes/create_session': { input: object; output: { session_id: string } }
  'test/either': { input: { later?: boolean }; output: { echo: string }; job: true }
}

export const openClient = (
  gateway: Pick<Gateway, 'url'>,
  { key }: { readonly key: string | undefined },
  options: Partial<TollwayOptions> = {},
) =>
  createTollway<Actions & TestActions>({
    baseUrl: gateway.url,
    ...(key === undefined ? {} : { key }),
    ...options,
  })

export async function collect<Part>(parts: AsyncIterable<Part>): Promise<Part[]> {
  const seen: Part[] = []
  for await (const part of parts) seen.push(part)
  return seen
}
