// Reads mail in threads of their own: a mail that is made to hang or exhaust its reader ends a thread, not the gateway.
import type { ThreadLimits } from '#platform/threads/thread-limits.ts'
import { createThreadPool, ThreadLost } from '#platform/threads/thread-pool.ts'
import { waitingMailsMax } from './limits.ts'
import type { MessageContent } from './message.ts'
import { UnreadableMail } from './unreadable-mail.ts'

export interface MessageReader {
  /**
   * `owner` is who sends it: senders take turns. Throws UnreadableMail. Any other error is of this machine: the mail
   * may be sent again.
   */
  read(raw: Uint8Array, owner: string): Promise<MessageContent>
  close(): Promise<void>
}

/** What the thread posts. */
export type ReadOutcome = { readonly content: MessageContent } | { readonly problem: string }

/** A mail of 10 MB in lines of usual length takes about 2 seconds. */
const taskLimits: ThreadLimits = { cpuMs: 5_000, wallMs: 300_000 }
const threads = 2

export function createMessageReader({ limits = taskLimits } = {}): MessageReader {
  const { run, close } = createThreadPool<Uint8Array, ReadOutcome>({
    script: new URL('./read-message-worker.ts', import.meta.url),
    threads,
    limits,
    queueMax: waitingMailsMax,
  })
  return {
    async read(raw, owner) {
      const reading = await run(raw, { owner }).catch((cause: unknown) => {
        if (!(cause instanceof ThreadLost)) throw cause
        throw new UnreadableMail('The structure of the mail is too complex.', { cause })
      })
      if ('problem' in reading) throw new UnreadableMail(reading.problem)
      return reading.content
    },
    close,
  }
}
