// The contract with every vendor that has an OpenAPI document: the document allows all our requests, and each of its
// failures becomes one of our errors.
import { describe, expect, test } from 'vitest'
import type { CallError } from '#core/errors.ts'
import type { Provider } from '#core/provider.ts'
import { systemClock } from '#platform/clock.ts'
import { runAction } from '#test/run-action.ts'
import type { readVendorDocument } from './vendor-document.ts'

interface Case {
  readonly action: string
  readonly input: object
  /** Fields that the answer must have. */
  readonly answer?: object
}

export function describeContract(
  provider: Provider,
  vendor: ReturnType<typeof readVendorDocument>,
  contract: {
    readonly credential: readonly [header: string, value: string]
    readonly cases: readonly Case[]
    /** The vendor's failure statuses with the caller's error code. */
    readonly failures: readonly (readonly [action: string, status: number, code: string])[]
    readonly replies?: Readonly<Record<string, readonly unknown[]>>
  },
) {
  const { credential, cases, failures, replies = {} } = contract
  const clock = { ...systemClock, sleep: async () => {} }

  describe.skipIf(!vendor.present)('the vendor’s own document', () => {
    test('every action of the provider is tested against it', () => {
      const asked = new Set(cases.map(({ action }) => action))
      expect(provider.actions.map(({ name }) => name)).toEqual(
        provider.actions.map(({ name }) => name).filter((name) => asked.has(name)),
      )
    })

    test.each(cases)('accepts what $action sends for $input', async ({ action, input, answer }) => {
      const { baseUrl, problems, asked } = await vendor.startVendor({ credential, replies })
      const output = await runAction(provider, action, { baseUrl, input, clock })
      expect(problems).toEqual([])
      expect(asked.length).toBeGreaterThan(0)
      expect(output).toMatchObject(answer ?? {})
    })

    test.each(failures)('%s: its failure %i is our error %s', async (action, status, code) => {
      const { baseUrl } = await vendor.startVendor({ credential, status })
      const { input } = cases.find((row) => row.action === action) as Case
      const thrown: CallError = await runAction(provider, action, { baseUrl, input, clock }).catch(
        (error) => error,
      )
      expect(thrown.code).toBe(code)
      expect(thrown.message).toMatch(/Nothing was charged|Retry-After|input schema|our side/)
    })
  })
}
