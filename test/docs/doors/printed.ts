// Compares an answer with the one that a page prints.
import { expect } from 'vitest'

/** Matches a printed answer. A `…` in a text stands for anything, and an id for any other. */
export function matching(printed: unknown): object {
  return JSON.parse(JSON.stringify(printed), (name, value) => {
    if (name === 'transaction_id') return expect.any(String)
    if (typeof value !== 'string' || !value.includes('…')) return value
    const parts = value.split('…').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    return expect.stringMatching(new RegExp(`^${parts.join('[\\s\\S]*')}$`))
  })
}
