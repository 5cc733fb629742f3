// Answers of actions inside a call that are kept beside the call's own, so that its caller can read each of them.
import { uuidv7 } from '#core/id.ts'
import type { Clock } from '#core/ports.ts'
import type { Database } from '#platform/database/database.ts'

/** Of all answers of one call, as JSON text. What does not fit is not kept. */
const charactersMax = 20_000_000

export interface KeptAnswers {
  /** For one call. Without a call nothing is paid for, and nothing is kept. */
  open(callId: string | undefined): {
    /** The id by which it can be read. */
    keep(answer: { readonly action: string; readonly output: unknown }): string | undefined
    /** Stores all of them. The call must not have ended. */
    write(): Promise<void>
  }
}

export const createKeptAnswers = (database: Database, clock: Clock): KeptAnswers => ({
  open(callId) {
    const kept: { id: string; action: string; output: string }[] = []
    let characters = 0
    return {
      keep({ action, output }) {
        if (callId === undefined) return undefined
        const text = JSON.stringify(output) ?? 'null'
        if (characters + text.length > charactersMax) return undefined
        characters += text.length
        const id = uuidv7(clock.now())
        kept.push({ id, action, output: text })
        return id
      },
      async write() {
        if (kept.length === 0) return
        await database.query(
          `insert into kept_answer (id, call_id, action, output)
           select id, $1, action, output from unnest($2::uuid[], $3::text[], $4::text[]) as kept (id, action, output)`,
          [
            callId,
            kept.map(({ id }) => id),
            kept.map(({ action }) => action),
            kept.map(({ output }) => output),
          ],
        )
      },
    }
  },
})
