// An earlier call with the same idempotency key: its stored answer, or why there is none.
import { type AccountCaller, ownerOf } from '#core/caller.ts'
import { fail } from '#core/errors.ts'
import { envelope, jobEnvelope, sessionEnvelope } from '../envelope.ts'
import type { Purchases } from '../execute/purchases.ts'
import type { Calls, StoredCall } from '../history/calls.ts'
import type { CallResponse } from './call.ts'

export interface EarlierCalls {
  /** The stored answer of a call that has ended. Throws `idempotency_key_reused`, `unavailable`. */
  replay(callId: string, caller: AccountCaller, isSession?: boolean): Promise<CallResponse>
  /** Throws where the call that still runs is another key's, or waits for the operator. */
  refuseWhileRunning(callId: string, caller: AccountCaller): Promise<void>
}

export function createEarlierCalls({
  calls,
  purchases,
}: {
  calls: Pick<Calls, 'find'>
  purchases: Pick<Purchases, 'inDoubt'>
}): EarlierCalls {
  return {
    async replay(callId, caller, isSession = false) {
      const call = await calls.find(ownerOf(caller), callId)
      // A limited key neither sees what another key has paid for, nor pays for it again.
      if (call === undefined) throw fail('idempotency_key_reused')
      const available = call.availableAfter ?? undefined
      const body = isSession ? sessionEnvelope(callId, available) : bodyOf(call)
      return { body, replayed: true }
    },
    async refuseWhileRunning(callId, caller) {
      if (caller.isLimited && (await calls.find(ownerOf(caller), callId)) === undefined)
        throw fail('idempotency_key_reused')
      const doubt = await purchases.inDoubt(callId)
      if (doubt !== undefined) throw doubt
    },
  }
}

function bodyOf({ id, job, output, charged, availableAfter }: StoredCall): string {
  const available = availableAfter ?? undefined
  if (job) return jobEnvelope(id, available)
  if (output === null) throw fail('unavailable')
  return envelope({ output, charged, available, transactionId: id })
}
