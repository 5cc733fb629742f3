// Mail of the gateway itself to people, by the operator's relay.
import { uuidv7 } from '#core/id.ts'
import { domainOf } from '#core/mail-address.ts'
import type { Clock } from '#core/ports.ts'
import { compose } from './compose.ts'
import type { Relay } from './relay.ts'

export interface Notice {
  readonly to: string
  readonly subject: string
  readonly text: string
}

/** Resolves once the relay has taken the mail. Throws as `Relay.send`. */
export type SendNotice = (notice: Notice) => Promise<void>

/** Undefined without a relay or a sender: the gateway then sends no mail of its own. */
export function createNotices({
  relay,
  sender,
  clock,
}: {
  relay: Relay | undefined
  sender: string | undefined
  clock: Clock
}): SendNotice | undefined {
  if (relay === undefined || sender === undefined) return undefined
  return async ({ to, subject, text }) => {
    const now = clock.now()
    const raw = await compose({
      subject,
      text,
      from: { name: 'Tollway', address: sender },
      to: [{ name: '', address: to }],
      cc: [],
      attachments: [],
      messageId: `<${uuidv7(now)}@${domainOf(sender)}>`,
      date: new Date(now),
    })
    await relay.send({ raw, from: sender, to: [to] })
  }
}
