// Asks the rules of plugins about calls.
import { inspect } from 'node:util'
import type { AccountCaller, WalletCaller } from '#core/caller.ts'
import type { CallHooks, ProposedCall, Refusal } from '#core/calls/call-hooks.ts'
import type { CatalogEntry } from '#core/catalog.ts'
import { CallError, errorTable, fail } from '#core/errors.ts'
import { membersOf } from '#core/input/members.ts'
import type { Clock, Log } from '#core/ports.ts'
import type { Quote } from '#core/price.ts'
import { withDeadline } from '#platform/deadline.ts'

export interface NamedHooks {
  readonly plugin: string
  readonly hooks: CallHooks
}

/** How long a hook may take: a caller waits for it, or the report that it is told is locked. */
const hookTimeoutMs = 10_000

/** Runs a hook, and gives it up when it takes too long. */
export const runHook = <Result>(clock: Clock, work: () => Promise<Result>): Promise<Result> =>
  withDeadline({ timeoutMs: hookTimeoutMs, clock, late: tookLonger }, work)

const tookLonger = (seconds: number) => new Error(`It took longer than ${seconds} seconds.`)

export interface CallRules {
  /** Throws the refusal of the first rule that refuses, and `unavailable` where a rule fails. */
  permit(call: ProposedCall): Promise<void>
}

export function createCallRules({
  hooks: all,
  clock,
  log,
}: {
  hooks: readonly NamedHooks[]
  clock: Clock
  log: Log
}): CallRules {
  const asked = all.filter(({ hooks: { beforeCall } }) => beforeCall !== undefined)

  async function ask({ plugin, hooks }: NamedHooks, call: ProposedCall) {
    try {
      return readVerdict(await runHook(clock, async () => await hooks.beforeCall?.(call)))
    } catch (error) {
      log.error({ err: error, plugin }, 'A rule of a plugin failed, so a call was refused.')
      throw fail('unavailable', {
        message: 'A rule of this gateway could not be checked. Nothing was charged. Try again.',
      })
    }
  }

  return {
    async permit(call) {
      for (const { plugin, hooks } of asked) {
        const refusal = await ask({ plugin, hooks }, call)
        if (refusal !== undefined) throw fail(refusal.code, { message: refusal.message })
      }
    },
  }
}

/** A rule in JavaScript may answer null where undefined is meant, or something else by mistake. */
function readVerdict(verdict: unknown): Refusal | undefined {
  if (verdict === undefined || verdict === null) return undefined
  const { code, message } = membersOf(verdict)
  const isCode = typeof code === 'string' && Object.hasOwn(errorTable, code)
  if (isCode && (message === undefined || typeof message === 'string')) return verdict as Refusal
  const shown = inspect(verdict, { depth: 0, maxStringLength: 100, breakLength: Infinity })
  throw new TypeError(
    `Its verdict ${shown} must have a code of the table of errors, and a message.`,
  )
}

/** The refusal of a rule, for a quote that tells it instead of throwing it. */
export async function refusalOfRules(
  rules: CallRules,
  call: ProposedCall,
): Promise<CallError | undefined> {
  try {
    await rules.permit(call)
    return undefined
  } catch (thrown) {
    if (thrown instanceof CallError) return thrown
    throw thrown
  }
}

export const proposalOf = (
  caller: AccountCaller | WalletCaller,
  { id, action }: Pick<CatalogEntry, 'id' | 'action'>,
  { input, quote }: { readonly input: unknown; readonly quote: Quote },
): ProposedCall => ({
  payer: caller.kind,
  accountId: caller.accountId,
  keyId: caller.kind === 'account' ? caller.keyId : undefined,
  action: id,
  quote,
  orders: (action.orders?.(input) ?? []).map((ordered) => ordered.id),
})
