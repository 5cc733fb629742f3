import { tollway } from '../gateway.ts'

/** The id of each key, and how people know it. */
export async function readKeyNames(signal: AbortSignal): Promise<[id: string, name: string][]> {
  const names: [string, string][] = []
  for await (const { key_id, name, prefix } of tollway.list('GET /api/v1/keys', {
    query: { limit: 100 },
    signal,
  }))
    names.push([key_id, name ?? prefix])
  return names
}
