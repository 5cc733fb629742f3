// What the gateway's actions ask: a vendor that answers late, or not at all, and never twice alike.
import { CallError, fail } from '#core/errors.ts'
import type { Clock } from '#core/ports.ts'
import type { Faults } from '../machine/faults.ts'
import type { Random } from '../machine/random.ts'

export interface Answer {
  readonly output: string
  /** The part of the price that it is worth. */
  readonly part: number
  readonly cost: number | undefined
}

export interface Vendor {
  answer(): Promise<Answer>
  hasFailed(error: unknown): boolean
  costOfFailure(): number | undefined
}

const failure = 'The vendor failed.'

export function createVendor(options: {
  readonly random: Random
  readonly faults: Faults
  readonly clock: Clock
  readonly nextNumber: () => number
}): Vendor {
  const { random, faults, clock, nextNumber } = options
  return {
    async answer() {
      const [slow, fails] = [faults.happens('vendor is slow'), faults.happens('vendor fails')]
      await clock.sleep(slow ? random.between(500, 11_000) : random.between(1, 60))
      if (fails) throw fail('upstream_error', { message: failure })
      const number = nextNumber()
      const part = random.pick([0, 0.3, 0.7, 1, 1])
      return { output: JSON.stringify({ part, number }), part, cost: random.pick([undefined, 5]) }
    },
    hasFailed: (error) => error instanceof CallError && error.message === failure,
    costOfFailure: () => random.pick([undefined, 50, 90_000, 400_000]),
  }
}
