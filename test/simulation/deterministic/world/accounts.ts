// The accounts of a run, some of them with little money or with limits of their keys.
import type { Store } from '../database/store.ts'
import type { Random } from '../machine/random.ts'
import type { Scenario } from './world.ts'

export type Account = Awaited<ReturnType<typeof openAccounts>>[number]

export async function openAccounts(store: Store, { callers }: Scenario, random: Random) {
  const accounts = []
  for (let index = 0; index < Math.ceil(callers / 2); index += 1) {
    const accountId = uuid(random)
    const isLimited = random.chance(0.3)
    const key = {
      id: uuid(random),
      callMicrosMax: isLimited ? random.pick([null, 100]) : null,
      dayMicrosMax: isLimited ? random.pick([1_000, 50_000]) : null,
    }
    await store.addAccount({
      accountId,
      micros: random.pick([300, 900, 5_000, 100_000]),
      keys: [key],
    })
    accounts.push({
      ...key,
      kind: 'account' as const,
      accountId,
      keyId: key.id,
      isLimited,
      ...(isLimited ? { limits: JSON.stringify(key) } : {}),
    })
  }
  return accounts
}

function uuid(random: Random): string {
  const hex = (digits: number) =>
    random
      .below(16 ** digits)
      .toString(16)
      .padStart(digits, '0')
  return `${hex(8)}-${hex(4)}-7${hex(3)}-8${hex(3)}-${hex(6)}${hex(6)}`
}
